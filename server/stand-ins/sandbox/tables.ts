import { type ColumnType, type Generated, type Kysely, sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import type { Moment } from '../../database/tables/columns.ts'
import type { SandboxFile } from './media.ts'
import type { SentStructure } from './templates.ts'
import type { Thing } from './things.ts'

export type SandboxTables = {
  'sandbox.pages': {
    page_id: string
    name: string
    username: string
    category: string
    trade: 'prints' | 'catering'
    access_token: string
    token_valid: Generated<boolean>
    /** PAGE, or USER for a token that belongs to a person. */
    token_type: Generated<string>
    /** Comma separated. */
    token_scopes: Generated<string>
    instagram_id: string | null
    instagram_username: string | null
    subscribed: Generated<boolean>
    picture_seed: number
  }
  'sandbox.people': {
    psid: string
    page_id: string
    platform: 'messenger' | 'instagram'
    /** The same for one human on several pages. The network never reveals it. */
    person_key: string
    conversation_id: string
    first_name: string
    last_name: string
    username: string
    picture_seed: number
    /** If false, the profile is an empty object. */
    profile_readable: Generated<boolean>
    reachable: Generated<boolean>
  }
  'sandbox.messages': {
    seq: ColumnType<number, never, never>
    mid: string
    page_id: string
    psid: string
    from_page: boolean
    text: string | null
    files: ColumnType<SandboxFile[], string, string>
    thing: ColumnType<Thing | null, string | null | undefined, string | null>
    created_at: Moment
    metadata: string | null
    app_id: string | null
    /** Quick replies or buttons that the app sent with the text. */
    structure: ColumnType<SentStructure | null, string | null | undefined, never>
    /** Sent by the app, not seeded. */
    delivered: Generated<boolean>
    /** The message that this one replies to. */
    reply_to: string | null
    person_reaction: string | null
    page_reaction: string | null
  }
  /** What the app showed to people without a message: typing, seen and reactions. */
  'sandbox.actions': {
    id: ColumnType<number, never, never>
    psid: string
    action: string
    mid: string | null
    reaction: string | null
    at: Moment
  }
  /** Files that the app sent. */
  'sandbox.files': { path: string; mime_type: string; content: Uint8Array }
  'sandbox.webhooks': {
    id: ColumnType<number, never, never>
    body: string
    due_at: Moment
    attempts: Generated<number>
  }
  /** Planned replies. */
  'sandbox.plans': {
    id: ColumnType<number, never, never>
    psid: string
    due_at: Moment
  }
  /** Logins of people, each with its code and, once the code was exchanged, the token of the person. */
  'sandbox.logins': {
    code: string
    redirect_uri: string
    challenge: string
    /** Comma separated. */
    page_ids: string
    /** Comma separated. */
    scopes: string
    access_token: Generated<string | null>
    expires_at: Moment
  }
  'sandbox.posts': {
    id: string
    page_id: string
    platform: 'messenger' | 'instagram'
    message: string
    picture_seed: number
    /** A live video, and whether it is being broadcast. */
    is_live_video: boolean
    is_broadcast: Generated<boolean>
    created_at: Moment
  }
  'sandbox.comments': {
    id: string
    post_id: string
    parent_id: string | null
    /** Null: the page wrote it. */
    psid: string | null
    message: string
    created_at: Moment
    is_hidden: Generated<boolean>
    is_liked: Generated<boolean>
    /** The message of the one private reply. */
    private_reply_mid: Generated<string | null>
  }
  'sandbox.state': {
    id: number
    faults: ColumnType<unknown, string | undefined, string>
    seeded_at: ColumnType<Date | null, Date | null, Date | null>
    next_visit_at: ColumnType<Date | null, Date | null, Date | null>
    filled_at: ColumnType<Date | null, Date | null, Date | null>
    next_comment_at: ColumnType<Date | null, Date | null, Date | null>
  }
}

export type SandboxDb = Kysely<SandboxTables>

/** Creates the sandbox's tables if they are missing. */
export async function openSandboxTables(db: Db): Promise<SandboxDb> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(74112010)`.execute(trx)
    for (const statement of statements) await sql.raw(statement).execute(trx)
  })
  return db.withTables<SandboxTables>()
}

const statements = [
  'create schema if not exists sandbox',
  `create table if not exists sandbox.pages (
    page_id text primary key,
    name text not null,
    username text not null,
    category text not null,
    trade text not null,
    access_token text not null unique,
    token_valid boolean not null default true,
    instagram_id text unique,
    instagram_username text,
    subscribed boolean not null default false,
    picture_seed integer not null
  )`,
  `create table if not exists sandbox.people (
    psid text primary key,
    page_id text not null references sandbox.pages,
    platform text not null,
    person_key text not null,
    conversation_id text not null unique,
    first_name text not null,
    last_name text not null,
    username text not null,
    picture_seed integer not null,
    profile_readable boolean not null default true,
    reachable boolean not null default true
  )`,
  "alter table sandbox.pages add column if not exists token_type text not null default 'PAGE'",
  `alter table sandbox.pages add column if not exists token_scopes text not null
    default 'pages_messaging,pages_manage_metadata,pages_read_engagement,instagram_manage_messages'`,
  'create index if not exists people_page on sandbox.people (page_id, platform)',
  `create table if not exists sandbox.messages (
    seq bigint generated always as identity primary key,
    mid text not null unique,
    page_id text not null,
    psid text not null references sandbox.people,
    from_page boolean not null,
    text text,
    files jsonb not null default '[]',
    created_at timestamptz not null,
    metadata text,
    app_id text,
    delivered boolean not null default false
  )`,
  `alter table sandbox.messages add column if not exists reply_to text,
    add column if not exists person_reaction text, add column if not exists page_reaction text`,
  `create table if not exists sandbox.actions (
    id bigint generated always as identity primary key,
    psid text not null references sandbox.people,
    action text not null,
    mid text,
    reaction text,
    at timestamptz not null
  )`,
  'alter table sandbox.messages add column if not exists thing jsonb',
  'alter table sandbox.messages add column if not exists structure jsonb',
  'create index if not exists messages_person on sandbox.messages (psid, created_at desc, seq desc)',
  'create table if not exists sandbox.files (path text primary key, mime_type text not null, content bytea not null)',
  `create table if not exists sandbox.webhooks (
    id bigint generated always as identity primary key,
    body text not null,
    due_at timestamptz not null,
    attempts integer not null default 0
  )`,
  `create table if not exists sandbox.plans (
    id bigint generated always as identity primary key,
    psid text not null references sandbox.people,
    due_at timestamptz not null
  )`,
  `create table if not exists sandbox.logins (
    code text primary key,
    redirect_uri text not null,
    challenge text not null,
    page_ids text not null,
    scopes text not null,
    access_token text unique,
    expires_at timestamptz not null
  )`,
  `create table if not exists sandbox.state (
    id integer primary key check (id = 1),
    faults jsonb not null default '{}',
    seeded_at timestamptz,
    next_visit_at timestamptz,
    filled_at timestamptz
  )`,
  'insert into sandbox.state (id) values (1) on conflict do nothing',
  'alter table sandbox.state add column if not exists next_comment_at timestamptz',
  `create table if not exists sandbox.posts (
    id text primary key,
    page_id text not null references sandbox.pages,
    platform text not null,
    message text not null,
    picture_seed integer not null,
    is_live_video boolean not null,
    is_broadcast boolean not null default false,
    created_at timestamptz not null
  )`,
  `create table if not exists sandbox.comments (
    id text primary key,
    post_id text not null references sandbox.posts,
    parent_id text,
    psid text references sandbox.people,
    message text not null,
    created_at timestamptz not null,
    is_hidden boolean not null default false,
    is_liked boolean not null default false,
    private_reply_mid text
  )`,
  'create index if not exists comments_parent on sandbox.comments (parent_id, created_at)',
]
