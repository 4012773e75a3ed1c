import { vi } from 'vitest'

const { limits: real } =
  await vi.importActual<typeof import('../../src/domain/limits.ts')>('../../src/domain/limits.ts')

/** The limits of the product with small result pages, so that there are several. For use with `vi.mock`. */
export const limits = { ...real, messagePageSize: 2 }
