/**
 * Why a session ends: the user signed out, the server refused it, or another tab ended it and has notified provider and
 * API.
 */
export type EndOfSession = 'asked' | 'refused' | 'elsewhere'
