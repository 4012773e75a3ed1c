import { catalogue } from './catalogue.ts'

/** For what no room owns: texts of the shared catalogue alone. */
export const t = catalogue({})
