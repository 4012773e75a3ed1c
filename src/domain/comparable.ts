const accents = /[\u0300-\u036f]/g
const apostrophes = /['\u2018\u2019\u02bc`]/g
const words = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu

/**
 * A text normalised for comparison: lower-case words without accents and punctuation, separated by single spaces. An
 * emoji is a word. Empty if the text contains no words.
 */
export const comparable = (text: string): string =>
  (text.toLowerCase().normalize('NFKD').replace(accents, '').replace(apostrophes, '').toLowerCase().match(words) ?? [])
    .join(' ')
    .normalize('NFC')

/** Whether a text contains a keyword as a whole word or phrase; both normalised by `comparable`. */
export const containsKeyword = (text: string, keyword: string): boolean =>
  keyword !== '' && ` ${text} `.includes(` ${keyword} `)
