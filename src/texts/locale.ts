/** The language of every text for staff, as a BCP 47 tag. CONTRIBUTING.md says how to add another one. */
export const locale = 'en'
