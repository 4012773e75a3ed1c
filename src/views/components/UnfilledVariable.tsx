import { unfilledVariable } from '../../domain/faq/faq-reply.ts'
import { t } from '../../texts/shared-on-demand.ts'

/** Warns of a variable that an automatic answer does not fill in, such as one of the saved replies. */
export function UnfilledVariable({ text }: { text: string }) {
  const variable = unfilledVariable(text)
  return variable === null ? null : <span className="block text-warn">{t('shared.notFilledIn', { variable })}</span>
}
