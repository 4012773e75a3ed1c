import type { ColumnType } from 'kysely'

/** Written as a Date or ISO text, read as a Date. */
export type Moment = ColumnType<Date, Date | string, Date | string>
export type MomentWithDefault = ColumnType<Date, Date | string | undefined, Date | string>
export type NullableMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** Written as JSON text, because the drivers serialize arrays differently. */
export type Json<T> = ColumnType<T, string, string>
/** The database has a default. */
export type DefaultedJson<T> = ColumnType<T, string | undefined, string>
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
/** Read as text: money is not a float. */
export type Money = ColumnType<string, number | string, number | string>
export type NullableMoney = ColumnType<string | null, number | string | null | undefined, number | string | null>
export type Direction = 'incoming' | 'outgoing'
