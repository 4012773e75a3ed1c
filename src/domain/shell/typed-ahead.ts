import { searchLimit } from '../../schemas/conversation.ts'

/** The text of the palette's field after a key that was pressed before the field had the focus: a character or Backspace. */
export function afterKey(text: string, key: string): string {
  if (key === 'Backspace') return [...text].slice(0, -1).join('')
  return text.length + key.length > searchLimit ? text : text + key
}
