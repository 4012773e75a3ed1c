import { useId } from 'react'
import { type Appearance, selectAppearance } from '../../machines/shell/appearance.ts'
import { selectIsReduced } from '../../machines/shell/reduced-motion.ts'
import { type TextId, t } from '../../texts/shell-on-demand.ts'
import { useAppearance, useReducedMotion } from '../actors.tsx'
import { useSelector } from '../use-selector.ts'

const choices: readonly { appearance: Appearance; label: TextId }[] = [
  { appearance: 'system', label: 'shell.system' },
  { appearance: 'light', label: 'shell.light' },
  { appearance: 'dark', label: 'shell.dark' },
]

/** The appearances: light, dark, or the system setting; and whether anything moves. */
export function AppearanceChoice() {
  const actor = useAppearance()
  const chosen = useSelector(actor, selectAppearance)
  const motion = useReducedMotion()
  const isStill = useSelector(motion, selectIsReduced)
  const name = useId()
  return (
    <fieldset className="my-3">
      <legend className="mb-1 text-ink-2 text-xs">{t('shell.appearance')}</legend>
      <div className="grid grid-cols-3 rounded-ui bg-sunken p-0.5 text-xs">
        {choices.map(({ appearance, label }) => (
          <label
            key={appearance}
            className="cursor-pointer rounded-ui py-1 text-center touch:py-3.5 has-checked:bg-panel has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={appearance === chosen}
              onChange={() => actor.send({ type: 'appearance.chosen', appearance })}
            />
            {t(label)}
          </label>
        ))}
      </div>
      <label className="mt-1 flex min-h-8 touch:min-h-11 cursor-pointer items-center gap-2 text-xs">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isStill}
          onChange={({ target }) => motion.send({ type: 'motion.chosen', isReduced: target.checked })}
        />
        {t('shell.reduceMotion')}
      </label>
    </fieldset>
  )
}
