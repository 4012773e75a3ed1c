/**
 * Whether an input method handles this key, for example to choose a character. Safari reports the key that ends the
 * composition with `isComposing` already false, and then with key code 229.
 */
export const isComposing = (event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  event.isComposing || event.keyCode === 229
