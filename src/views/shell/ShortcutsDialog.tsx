import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { commandsWithKeys, fieldKeysOf } from './commands.ts'
import { useSituation } from './use-situation.ts'

type Shortcut = { id: string; name: string; keys: readonly string[] }

/** A `+` joins keys that are pressed together. An `or` separates alternatives. */
function Keys({ title, list, between }: { title: string; list: readonly Shortcut[]; between: string }) {
  return (
    <section className="px-4 pb-4">
      <h3 className="pt-3 pb-1 font-semibold text-ink-2 text-xs">{title}</h3>
      <dl>
        {list.map(({ id, keys, name }) => (
          <div key={id} className="flex items-center justify-between gap-6 py-1.5">
            <dt>{name}</dt>
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
  const situation = useSituation()
  const all = commandsWithKeys(situation).map((command) => ({
    id: command.id,
    name: command.name(situation),
    keys: command.keys ?? [],
    place: command.group === 'views' ? 'views' : command.isAboutStates ? 'states' : 'anywhere',
  }))
  const at = (place: string) => all.filter((each) => each.place === place)
  const [general, aboutStates, views] = [at('anywhere'), at('states'), at('views')]
  const inField = fieldKeysOf(situation).map(({ id, keys, name }) => ({ id, keys, name: name() }))
  return (
    <DialogFrame title={title} onDismiss={onDismiss} className="w-96 max-w-full">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard */}
      <section aria-label={title} tabIndex={0} className="scroller min-h-0">
        <Keys title={t('shell.anywhere')} list={general} between={t('shell.or')} />
        {aboutStates.length > 0 && <Keys title={t('shell.stateKeys')} list={aboutStates} between={t('shell.or')} />}
        {views.length > 0 && <Keys title={t('shell.paletteViews')} list={views} between={t('shell.or')} />}
        <Keys title={t('shell.whileWriting')} list={inField} between="+" />
      </section>
    </DialogFrame>
  )
}
