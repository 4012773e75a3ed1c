/** The days of the week from Monday. */
export const week = [1, 2, 3, 4, 5, 6, 0]

/** The name of a day; 0 is Sunday. */
// 4 January 1970 was a Sunday.
export const nameOfDay = (day: number, weekday: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(undefined, { weekday, timeZone: 'UTC' }).format(Date.UTC(1970, 0, 4 + day))
