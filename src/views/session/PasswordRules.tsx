import { Check, Circle } from 'lucide-react'
import type { PasswordRule } from '../../domain/session/new-password.ts'
import { t } from '../../texts/session-on-demand.ts'
import { classNames } from '../components/class-names.ts'

/** The rules of a new password, with a mark at each that is met. */
export function PasswordRules({ id, rules }: { id: string; rules: readonly PasswordRule[] }) {
  return (
    <ul id={id} aria-label={t('session.passwordRules')} className="grid gap-1 text-xs">
      {rules.map(({ text, isMet }) => {
        const Mark = isMet ? Check : Circle
        return (
          <li key={text} className={classNames('flex items-center gap-2', isMet ? 'text-ok' : 'text-ink-2')}>
            <Mark size={13} aria-hidden="true" />
            {text}
            <span className="sr-only">{isMet ? t('session.ruleMet') : t('session.ruleNotMet')}</span>
          </li>
        )
      })}
    </ul>
  )
}
