import { type Strength, strengths } from '../../domain/session/new-password.ts'
import { t } from '../../texts/session-on-demand.ts'
import { classNames } from '../components/class-names.ts'

const names = {
  Weak: 'session.weak',
  Fair: 'session.fair',
  Good: 'session.good',
  Strong: 'session.strong',
} as const

const colours = { Weak: 'bg-bad', Fair: 'bg-warn', Good: 'bg-ok', Strong: 'bg-ok' } as const

/** A rough estimate of the password strength, as a word and a bar. */
export function PasswordStrength({ strength }: { strength: Strength }) {
  const reached = strengths.indexOf(strength)
  return (
    <div className="flex items-center gap-2">
      <div aria-hidden="true" className="grid flex-1 grid-cols-4 gap-1">
        {strengths.map((step, index) => (
          <span
            key={step}
            className={classNames('h-1 rounded-full', index <= reached ? colours[strength] : 'bg-line')}
          />
        ))}
      </div>
      <p role="status" className="min-w-24 text-right text-ink-2 text-xs">
        {t('session.strength', { strength: t(names[strength]) })}
      </p>
    </div>
  )
}
