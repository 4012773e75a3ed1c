import { catalogue } from './catalogue.ts'

/** Formats texts of the shared catalogue only, for code that belongs to no area. */
export const t = catalogue({})
