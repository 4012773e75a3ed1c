import { userEvent as direct, type Options } from '@testing-library/user-event'

const withoutDelay = { delay: null } satisfies Options

type OptionsOf<Name extends 'tab' | 'type'> = Parameters<(typeof direct)[Name]>[Name extends 'tab' ? 0 : 2]

/** user-event without its pause, a timer, after each key and press. */
export default {
  setup: () => direct.setup(withoutDelay),
  clear: direct.clear,
  click: (element: Element) => direct.click(element, withoutDelay),
  dblClick: (element: Element) => direct.dblClick(element, withoutDelay),
  keyboard: (text: string) => direct.keyboard(text, withoutDelay),
  selectOptions: (select: Element, values: string | string[]) => direct.selectOptions(select, values, withoutDelay),
  tab: (options?: OptionsOf<'tab'>) => direct.tab({ ...options, ...withoutDelay }),
  type: (element: Element, text: string, options?: OptionsOf<'type'>) =>
    direct.type(element, text, { ...options, ...withoutDelay }),
}
