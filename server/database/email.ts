import { type RawBuilder, sql } from 'kysely'

/** Matches the row with an email, regardless of case, by the unique index on `lower(email)`. */
export const hasEmail = (email: string, column: 'email' | 'auth_users.email' = 'email'): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) = ${email.toLowerCase()}`
