import * as z from 'zod/mini'
import { answerOf } from './primitives.ts'

export const exportKinds = [
  'clients',
  'orders',
  'items',
  'payments',
  'products',
  'conversations',
  'messages',
  'comments',
  'notes',
  'labels',
  'saved-replies',
  'faq-entries',
  'wrong-answers',
  'people',
  'posts',
  'pages',
  'staff',
  'settings',
] as const
export type ExportKind = (typeof exportKinds)[number]
export const exportFormats = ['csv', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportRequest = z.object({ kind: z.enum(exportKinds), format: z.enum(exportFormats) })
export type ExportRequest = z.infer<typeof exportRequest>

/** The path of the download below /api. It works once, within a minute. */
export const exportAnswer = answerOf(z.object({ path: z.string() }))

export const exportTicketQuery = z.object({ ticket: z.string().check(z.minLength(1), z.maxLength(100)) })
