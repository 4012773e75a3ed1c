import { catalogue } from './catalogue.ts'
import type { Catalogue } from './compile.ts'
import shared from './en/shared-on-demand.json' with { type: 'json' }

/** As `catalogue`, for code that is loaded on demand: the function also accepts the ids that only such code shares. */
export const catalogueOnDemand = <Id extends string>(messages: Catalogue<Id>) => catalogue({ ...shared, ...messages })

/** Formats texts of the shared catalogues only, for code that is loaded on demand and belongs to no area. */
export const t = catalogueOnDemand({})
