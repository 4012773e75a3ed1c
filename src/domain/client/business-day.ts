import type { Business } from '../../schemas/business.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The date of a time in the time zone of the business, which may differ from that of the browser. Without a `locale`, in
 * the format of the browser.
 */
export function businessDay(
  moment: string,
  { time_zone: timeZone }: Pick<Business, 'time_zone'>,
  locale?: string,
): string {
  const key = `${locale} ${timeZone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  formats.set(key, format)
  return format.format(Date.parse(moment))
}
