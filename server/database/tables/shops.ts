import type { ColumnType, Generated } from 'kysely'
import type { ShopKind, ShopPhase } from '../../../src/schemas/shop.ts'
import type { Moment, NullableMoment } from './columns.ts'

export type ShopsTables = {
  shops: {
    id: string
    kind: ShopKind
    address: string
    name: string
    credentials_encrypted: string
    connected_by: string | null
    connected_at: Moment
    key_refused_since: NullableMoment
    unreachable_since: NullableMoment
    run_id: string | null
    run_state: Generated<'idle' | 'queued' | 'running'>
    phase: Generated<ShopPhase>
    cursor: string | null
    changed_since: NullableMoment
    run_started_at: NullableMoment
    done: Generated<number>
    total: number | null
    error: string | null
    synced_until: NullableMoment
    updated_at: Moment
  }
  shop_rows: {
    shop_id: string
    kind: 'client' | 'order'
    external_id: string
    is_own_record: boolean
    version: Moment
    number: string
    reason: string | null
  }
  shop_deliveries: {
    id: ColumnType<number, never, never>
    shop_id: string
    kind: ShopPhase
    body: string
    received_at: Moment
    due_at: Moment
    attempts: Generated<number>
    error: string | null
  }
}
