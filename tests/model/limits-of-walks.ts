import { vi } from 'vitest'

const { limits: real } =
  await vi.importActual<typeof import('../../src/domain/limits.ts')>('../../src/domain/limits.ts')

/** The product's limits with small pages, so that there are several: `vi.mock` puts them in their place. */
export const limits = { ...real, messagePageSize: 2 }
