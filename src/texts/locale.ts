/** The language of all texts for staff, as a BCP 47 tag. CONTRIBUTING.md describes how to add another language. */
export const locale = 'en'
