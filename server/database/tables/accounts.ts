import type { ColumnType, Generated } from 'kysely'
import type { AuditDetails } from '../../../src/schemas/audit.ts'
import type { Json, Moment, MomentWithDefault, NullableMoment } from './columns.ts'

export type AccountsTables = {
  auth_users: {
    id: Generated<string>
    email: string
    password_hash: string
    must_change_password: Generated<boolean>
    email_confirmed_at: NullableMoment
    created_at: MomentWithDefault
  }
  auth_sessions: {
    id: Generated<string>
    user_id: string
    created_at: MomentWithDefault
    revoked_at: NullableMoment
  }
  staff: {
    id: Generated<string>
    email: string
    name: string | null
    role: string
    permissions: ColumnType<string[], string[] | undefined, string[]>
    is_active: Generated<boolean>
    supabase_id: string | null
    legacy_password_hash: string | null
    needs_migration: Generated<boolean>
    last_seen_at: NullableMoment
    created_at: MomentWithDefault
  }
  staff_sessions: {
    id: Generated<string>
    staff_id: string
    created_at: MomentWithDefault
    revoked_at: NullableMoment
    provider_session_id: string | null
  }
  refresh_tokens: {
    token_hash: string
    issuer: 'provider' | 'product'
    session_id: string
    created_at: MomentWithDefault
    expires_at: Moment
    used_at: NullableMoment
    parent_hash: string | null
    is_superseded: Generated<boolean>
  }
  password_resets: {
    user_id: string
    token_hash: string
    expires_at: Moment
  }
  second_factors: {
    staff_id: string
    secret_encrypted: string
    confirmed_at: NullableMoment
    last_step: number | null
    created_at: MomentWithDefault
  }
  recovery_codes: {
    staff_id: string
    code_hash: string
    used_at: NullableMoment
  }
  second_factor_sessions: {
    provider_session_id: string
    staff_id: string
    passed_at: Moment
  }
  api_keys: {
    id: Generated<string>
    name: string
    secret_hash: string
    ending: string
    scopes: Json<string[]>
    created_by: string
    created_at: Moment
    last_used_at: NullableMoment
    revoked_at: NullableMoment
  }
  /** Written by `recordAudit` alone; a trigger refuses changes. */
  audit_entries: {
    id: ColumnType<number, never, never>
    created_at: Moment
    staff_id: string | null
    staff_name: string | null
    action: string
    row_kind: string | null
    row_id: string | null
    address: string | null
    user_agent: string | null
    details: Json<AuditDetails>
  }
  attempts: {
    key: string
    count: number
    expires_at: Moment
  }
  known_sources: {
    key: string
    expires_at: Moment
  }
}
