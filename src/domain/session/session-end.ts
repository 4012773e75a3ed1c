/** Why a session ends: its person asked, it was refused, or another tab ended it and has told provider and API. */
export type EndOfSession = 'asked' | 'refused' | 'elsewhere'
