import { safeName } from '../../domain/shown-text.ts'
import type { Client } from '../../schemas/client.ts'

/** The known facts about a client other than the name, formatted for display. */
export const factsOf = ({ company_name, email, phone }: Client): string[] =>
  [company_name, email, phone].map((fact) => safeName(fact ?? '')).filter((fact) => fact !== '')
