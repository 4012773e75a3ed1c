import { t as listText } from '../../texts/list.ts'
import { t as threadText } from '../../texts/thread-on-demand.ts'

/** State that the list, or the thread, was saved and is not up to date. */
export const savedNotices = () => ({ list: listText('list.saved'), thread: threadText('thread.saved') })
