import pg from 'pg'
import { createOnServer } from '../databases.ts'

/** The role in DATABASE_URL of a hosted project: owner of the database, not a superuser. */
const owner = 'inbox_project_owner'

/** All databases of a server share roles, and another suite may create them concurrently. */
const createRole = (role: string) => `
  do $$ begin
    create role ${role};
  exception when duplicate_object or unique_violation then null;
  end $$`

/** The default privileges of a hosted project for new objects in schema public. */
export const defaultPrivileges = ['tables', 'functions', 'sequences']
  .map(
    (objects) => `
      alter default privileges for role ${owner} in schema public
        grant all on ${objects} to anon, authenticated, service_role;`,
  )
  .join('')

/** The other parts of a hosted project: default privileges, auth.uid() and the realtime publication. */
const contents = `
  grant usage on schema public to anon, authenticated, service_role;
  ${defaultPrivileges}
  create schema auth;
  grant usage on schema auth to anon, authenticated, service_role, ${owner};
  create function auth.uid() returns uuid language sql stable as
    $$ select nullif(current_setting('request.jwt.claim.sub', true), '')::uuid $$;
  create publication supabase_realtime;
  alter publication supabase_realtime owner to ${owner};
`

export type HostedProject = {
  /** As the owner, for DATABASE_URL. */
  url: string
  /** A superuser's connection. */
  admin: pg.Client
  /** Runs a script as the owner, as the project's SQL editor does. */
  runAsOwner(script: string): Promise<void>
  close(): Promise<void>
}

/** An empty hosted Supabase project as a database of the PostgreSQL server that TEST_DATABASE_URL names. */
export async function createHostedProject(): Promise<HostedProject> {
  const { url, drop } = await createOnServer()
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const ownersPassword = pg.escapeLiteral(decodeURIComponent(new URL(url).password))
  for (const role of ['anon', 'authenticated', 'service_role', `${owner} login password ${ownersPassword}`]) {
    await admin.query(createRole(role))
  }
  await admin.query(`alter database ${new URL(url).pathname.slice(1)} owner to ${owner}`)
  await admin.query(contents)
  const ownersUrl = new URL(url)
  ownersUrl.username = owner
  return {
    url: ownersUrl.href,
    admin,
    runAsOwner: async (script) => {
      const client = new pg.Client({ connectionString: ownersUrl.href })
      await client.connect()
      try {
        await client.query(script)
      } finally {
        await client.end()
      }
    },
    close: async () => {
      await admin.end()
      await drop()
    },
  }
}

const grantsQuery = `
  with api_roles as (select oid, rolname as role from pg_roles where rolname in ('anon', 'authenticated')),
  schemas as (
    -- Schema auth belongs to the project itself.
    select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'auth')
  ),
  relations as (
    select c.oid, c.relkind, c.relrowsecurity, c.reloptions, c.relnamespace, c.oid::regclass::text as name
    from pg_class c join schemas on schemas.oid = c.relnamespace where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  )
  select format('%s: %s for %s', name, privilege, role) as line
  from relations, api_roles, unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) privilege
  where relkind <> 'S' and has_table_privilege(role, relations.oid, privilege)
  union
  select format('%s: %s of a column for %s', name, privilege, role)
  from relations, api_roles, unnest(array['select', 'insert', 'update', 'references']) privilege
  where relkind <> 'S' and has_any_column_privilege(role, relations.oid, privilege)
    and not has_table_privilege(role, relations.oid, privilege)
  union
  select format('%s: %s for %s', name, privilege, role)
  from relations, api_roles, unnest(array['usage', 'select', 'update']) privilege
  where relkind = 'S' and has_sequence_privilege(role, relations.oid, privilege)
  union
  select format('%s: execute for %s', p.oid::regprocedure, role)
  from pg_proc p join schemas on schemas.oid = p.pronamespace, api_roles
  where has_function_privilege(role, p.oid, 'execute')
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
  union
  select format('%s: no row level security', name) from relations, api_roles
  where relkind in ('r', 'p') and not relrowsecurity and has_schema_privilege(role, relnamespace, 'usage')
  union
  select format('%s: runs with the rights of its owner', name) from relations, api_roles
  where relkind = 'v' and 'security_invoker=true' <> all(coalesce(reloptions, '{}'))
    and has_schema_privilege(role, relnamespace, 'usage')
  order by 1`

/**
 * Lists what the API roles of the project can use: grants on tables, views, sequences and functions of any schema, tables
 * without row level security in schemas that the roles can use, and views that run with the rights of their owner.
 * Extension functions are left out, because they read no table.
 */
export async function openObjects(admin: pg.Client): Promise<string[]> {
  return (await admin.query<{ line: string }>(grantsQuery)).rows.map(({ line }) => line)
}

/** Names of all tables and views outside the system schemas, with the first column of each. */
export async function relationsOf(admin: pg.Client): Promise<{ name: string; column: string }[]> {
  const { rows } = await admin.query<{ name: string; column: string }>(`
    select c.oid::regclass::text as name, quote_ident(attname) as column
    from pg_class c join pg_namespace n on n.oid = relnamespace
      join pg_attribute on attrelid = c.oid and attnum = (
        select min(attnum) from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped
      )
    where relkind in ('r', 'p', 'v', 'm', 'f') and nspname !~ '^pg_' and nspname <> 'information_schema'
    order by 1`)
  return rows
}

/** The statements that are not denied to the API roles, of a read and three writes on each relation. */
export async function allowedStatements(admin: pg.Client): Promise<string[]> {
  const allowed: string[] = []
  for (const { name, column } of await relationsOf(admin)) {
    const statements = [
      `select ${column} from ${name} limit 1`,
      `insert into ${name} default values`,
      `update ${name} set ${column} = default`,
      `delete from ${name}`,
    ]
    for (const role of ['anon', 'authenticated']) {
      for (const statement of statements) {
        await admin.query(`begin; set local role ${role}`)
        const code = await admin.query(statement).then(
          () => 'done',
          (error: pg.DatabaseError) => error.code,
        )
        await admin.query('rollback')
        // 42501: permission denied. 55000: an aggregating view is not writable.
        if (code !== '42501' && code !== '55000') allowed.push(`${role}: ${statement} (${code})`)
      }
    }
  }
  return allowed
}
