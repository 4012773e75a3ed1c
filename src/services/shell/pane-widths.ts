import * as z from 'zod/mini'
import { defaultWidths, fittingWidth, type PaneWidths } from '../../domain/shell/pane-widths.ts'
import type { TextStorage } from '../storage.ts'

const storageKey = 'staff-inbox.panes'

const stored = z.object({ list: z.number(), details: z.number() })

/** The widths chosen in this browser; the default widths if none are stored or they cannot be read. */
export function rememberedWidths(storage: TextStorage): PaneWidths {
  try {
    const { list, details } = z.parse(stored, JSON.parse(storage.get(storageKey) ?? ''))
    return { list: fittingWidth(list), details: fittingWidth(details) }
  } catch {
    return defaultWidths
  }
}

export const rememberWidths = (storage: TextStorage, widths: PaneWidths): void =>
  storage.set(storageKey, JSON.stringify(widths))
