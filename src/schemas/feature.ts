/**
 * What our API offers beyond the specification, as named in the `features` of a signed-in user. An API that names no
 * feature gets the inbox of spec section 2, and no call is made to find out.
 */
export const features = [
  'conversation-states',
  'authors',
  'presence',
  'notes',
  'drafts',
  'labels',
  'saved-replies',
  'notifications',
  'reports',
  'business-hours',
  'assignment-rules',
  'csv-import',
  'assignee-filter',
  'saved-filters',
  'outstanding',
  'summaries',
  'chats',
  'facebook-login',
  'web-push',
  'search',
  'chat-orders',
  'client-changes',
  'client-suggestions',
  'shops',
  'faq-matching',
  'files',
  'message-templates',
  'reply-buttons',
  'product-cards',
] as const
export type Feature = (typeof features)[number]
