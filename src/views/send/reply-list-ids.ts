/** The ids of the list of saved replies and its options, which the text field of the composer names. */
export const replyListId = 'saved-replies'
export const replyOptionId = (id: string): string => `saved-reply-${id}`
