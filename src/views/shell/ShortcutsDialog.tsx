import { offers } from '../../domain/session/features.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useLabelsOffer, useStatesOffer, useUser } from '../use-inbox.ts'
import { fieldShortcuts, replyShortcuts, shortcuts, stateShortcuts } from './shortcuts.ts'

type Shortcut =
  | (typeof shortcuts)[number]
  | (typeof stateShortcuts)[number]
  | (typeof fieldShortcuts)[number]
  | (typeof replyShortcuts)[number]

/** A `+` joins keys that are pressed together. An `or` separates alternatives. */
function Keys({ title, list, between }: { title: string; list: readonly Shortcut[]; between: string }) {
  return (
    <section className="px-4 pb-4">
      <h3 className="pt-3 pb-1 font-semibold text-ink-2 text-xs">{title}</h3>
      <dl>
        {list.map(({ keys, text }) => (
          <div key={text} className="flex items-center justify-between gap-6 py-1.5">
            <dt>{t(text)}</dt>
            <dd className="flex shrink-0 items-center gap-1.5 text-ink-2 text-xs">
              {keys.map((key, index) => (
                <span key={key} className="contents">
                  {index > 0 && <span>{between}</span>}
                  <kbd className="grid h-6 min-w-6 place-items-center rounded-tag border border-line bg-sunken px-1.5 font-sans font-medium text-ink">
                    {key}
                  </kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The dialog that lists the keyboard shortcuts. */
export default function ShortcutsDialog({ title, onDismiss }: DialogProps<'shortcuts'>) {
  const { offered, mayChange } = useStatesOffer()
  const { mayChange: mayLabel } = useLabelsOffer()
  const offersReplies = offers(useUser(), 'saved-replies')
  const [waiting] = stateShortcuts
  const states = stateShortcuts.slice(1).filter(({ text }) => mayLabel || text !== 'shell.keyLabels')
  const general = offered ? shortcuts.map((shortcut) => (shortcut.keys[0] === 'u' ? waiting : shortcut)) : shortcuts
  return (
    <DialogFrame title={title} onDismiss={onDismiss} className="w-96 max-w-full">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard */}
      <section aria-label={title} tabIndex={0} className="scroller min-h-0">
        <Keys title={t('shell.anywhere')} list={general} between={t('shell.or')} />
        {mayChange && <Keys title={t('shell.stateKeys')} list={states} between={t('shell.or')} />}
        <Keys
          title={t('shell.whileWriting')}
          list={offersReplies ? [...fieldShortcuts, ...replyShortcuts] : fieldShortcuts}
          between="+"
        />
      </section>
    </DialogFrame>
  )
}
