import { faqMatching } from '../../../src/machines/faq/faq-matching.ts'
import { type FaqMatching, usualFaqMatching } from '../../../src/schemas/faq.ts'
import { settingsFormModel } from '../settings-form-fixture.ts'

export const never: FaqMatching = { least_score: null }

/** No choice is incomplete. */
export const matchingModel = () =>
  settingsFormModel(faqMatching, {
    facts: null,
    empty: usualFaqMatching,
    changed: never,
    incomplete: usualFaqMatching,
    others: { least_score: 0.8 },
  })
