import { safeName } from '../../domain/shown-text.ts'
import type { Client } from '../../schemas/client.ts'

/** What is known of a client beside the name, ready to be shown. */
export const factsOf = ({ company_name, email, phone }: Client): string[] =>
  [company_name, email, phone].map((fact) => safeName(fact ?? '')).filter((fact) => fact !== '')
