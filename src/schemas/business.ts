import * as z from 'zod/mini'

export const isTimeZone = (name: string): boolean => works(() => new Intl.DateTimeFormat('en', { timeZone: name }))

export const isLocale = (name: string): boolean => works(() => new Intl.NumberFormat(name))

/** Amounts are stored in hundredths, so a currency with more decimals cannot be used. */
export const isCurrency = (code: string): boolean => {
  let decimals: number | undefined
  return (
    works(() => {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency: code })
      decimals = format.resolvedOptions().maximumFractionDigits
    }) && (decimals ?? 3) <= 2
  )
}

function works(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

/**
 * How amounts, dates and phone numbers of the business are written: an ISO 4217 code, a BCP 47 tag, the name of an IANA time
 * zone, and the ISO 3166 code of the country of phone numbers without a country code.
 */
const business = z.object({
  currency: z.string().check(z.refine(isCurrency)),
  locale: z.string().check(z.refine(isLocale)),
  time_zone: z.string().check(z.refine(isTimeZone)),
  country: z.string(),
})
export type Business = z.infer<typeof business>

/** Pesos in the format of the Philippines (spec section 9), and the clocks and phone numbers of the same country. */
export const defaultBusiness: Business = { currency: 'PHP', locale: 'en-PH', time_zone: 'Asia/Manila', country: 'PH' }

/** The values that the API tells in `business` of the user; those of the specification if it tells none that can be used. */
export function businessOf({ business: told }: { business?: unknown }): Business {
  const read = business.safeParse(told)
  return read.success ? read.data : defaultBusiness
}
