import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CommentAnswer } from '../../../src/domain/comments/answers.ts'
import { answerFlowMachine } from '../../../src/machines/comments/answer-flow.ts'
import { answersMachine } from '../../../src/machines/comments/answers.ts'
import { commentMachine } from '../../../src/machines/comments/comment.ts'
import { commentCountMachine } from '../../../src/machines/comments/comment-count.ts'
import { commentThreadMachine } from '../../../src/machines/comments/comment-thread.ts'
import { commentsMachine } from '../../../src/machines/comments/comments.ts'
import type { Post, PostComment } from '../../../src/schemas/comment.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import {
  answerOf,
  commentOf,
  openSend,
  postOf,
  threadOf,
  listOf as threadsOf,
  usedPrivately,
} from '../../model/comments/comments-fixture.ts'
import { pageOf } from '../../model/dialogs-fixture.ts'
import { createCoverage } from '../../model/harness.ts'
import { faults } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, userWithStates } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const list = createCoverage(commentsMachine)
const thread = createCoverage(commentThreadMachine)
const comment = createCoverage(commentMachine)
const count = createCoverage(commentCountMachine)
const answers = createCoverage(answersMachine)
const answerFlow = createCoverage(answerFlowMachine)

let isOnline = true
beforeEach(() => {
  isOnline = true
})

async function showComments(
  permissions = ['messages.send', 'conversations.manage', 'conversations.read'],
  leftAnswers: readonly CommentAnswer[] = [],
) {
  const inbox = await showInbox({
    person: { ...userWithStates, permissions, features: ['conversation-states', 'comments'] },
    withToasts: true,
    leftAnswers,
    isOnline: () => isOnline,
    inspect: (event) => {
      list.inspect(event)
      thread.inspect(event)
      comment.inspect(event)
      count.inspect(event)
      answers.inspect(event)
      answerFlow.inspect(event)
    },
  })
  await inbox.answer('loadTop', listOf([conversationOf()]))
  await act(async () => {})
  return inbox
}

const click = (element: Element) => act(async () => fireEvent.click(element))
const dialog = () => within(screen.getByRole('dialog', { name: 'Comments', hidden: true }))
const press = (name: string | RegExp) => click(dialog().getAllByRole('button', { name, hidden: true })[0] as Element)
const shown = () => screen.getByRole('dialog', { name: 'Comments', hidden: true }).textContent ?? ''
/** Comments of this hour, so that a private reply is possible. */
const young = (change: Partial<PostComment> = {}) => commentOf({ created_at: new Date().toISOString(), ...change })
const oneThread = (comment: PostComment, post: Post = postOf()) => threadOf([comment], { post })

async function openDialog(inbox: Awaited<ReturnType<typeof showComments>>) {
  await click(screen.getByRole('button', { name: /^Comments/ }))
  await screen.findByRole('dialog', { name: 'Comments' })
  return inbox
}
async function openThread(comment: PostComment, post: Post = postOf(), leftAnswers: readonly CommentAnswer[] = []) {
  const inbox = await openDialog(await showComments(undefined, leftAnswers))
  await inbox.answer('loadThreads', threadsOf(['t1']))
  await press(/Magkano po/)
  await inbox.answer('loadThread', oneThread(comment, post))
  return inbox
}

const changed = { type: 'comments.changed', thread: { id: 't1', postId: 'post-1' } } as const

describe('The comments', () => {
  it('are counted beside the views, and the number follows what happens', async () => {
    const inbox = await showComments()
    await inbox.fail('loadCommentCount', faults.noAnswer)
    await inbox.pass(2_000)
    await inbox.answer('loadCommentCount', 3)
    const button = screen.getByRole('button', { name: /^Comments/ })
    expect(button.textContent).toBe('Comments3, 3 without an answer')
    await inbox.hearColleagues(changed)
    await inbox.pass(1_000)
    await inbox.fail('loadCommentCount', faults.refused)
    await inbox.tell({ type: 'refetch.requested' })
    await inbox.answer('loadCommentCount', 0)
    expect(button.textContent).toBe('Comments')
    await inbox.tell({ type: 'refetch.requested' })
    await inbox.hearColleagues(changed)
    expect(inbox.waiting('loadCommentCount').length).toBe(1)
    await inbox.answer('loadCommentCount', 1)
    expect([button.textContent, inbox.waiting('loadCommentCount').length]).toEqual([
      'Comments1, 1 without an answer',
      0,
    ])
    await inbox.tell({ type: 'refetch.requested' })
    await inbox.fail('loadCommentCount', faults.noAnswer)
    await inbox.hearColleagues(changed)
    await inbox.pass(1_000)
    await inbox.answer('loadCommentCount', 2)
    expect(button.textContent).toBe('Comments2, 2 without an answer')
    inbox.unmount()
  })

  it('are listed, page by page, and in another view', async () => {
    const inbox = await openDialog(await showComments())
    expect(shown()).toContain('Loading comments…')
    await inbox.fail('loadThreads', faults.refused)
    expect(shown()).toContain('The comments could not be loaded.')
    await press('Try again')
    await inbox.answer('loadThreads', threadsOf(['t1'], 'next'))
    await expectScreen()
    await press('Show more')
    expect(shown()).toContain('Loading more…')
    await inbox.fail('loadThreads', faults.refused)
    await press('Show more')
    await inbox.answer('loadThreads', threadsOf(['t2']))
    const marks = () =>
      dialog()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent?.includes('Without an answer'))
    // Under its own filter each row would repeat the mark.
    expect(marks()).toEqual([false, false])
    await press('All')
    await inbox.answer('loadThreads', threadsOf(['t1'], 'second'))
    await inbox.tell(changed)
    await press('Show more')
    await inbox.answer('loadThreads', threadsOf(['t2'], 'third'))
    await inbox.pass(1_000)
    await press('Show more')
    await inbox.answer('loadThreads', threadsOf(['t3']))
    expect(marks()).toEqual([true, true, true])
    await press('Without an answer')
    await press('All')
    await inbox.answer('loadThreads', threadsOf([]))
    expect(shown()).toContain('There are no comments yet.')
    await press('Without an answer')
    await inbox.answer('loadThreads', threadsOf([]))
    expect(shown()).toContain('Every comment has an answer.')
    await inbox.tell(changed)
    await inbox.pass(1_000)
    await inbox.fail('loadThreads', faults.noAnswer)
    await inbox.pass(2_000)
    await inbox.answer('loadThreads', threadsOf(['t1']))
    await press('Close')
    expect(screen.queryByRole('dialog', { name: 'Comments' })).toBeNull()
    inbox.unmount()
  })

  it('are looked for in older ones if none of the newest has the words', async () => {
    const inbox = await openDialog(await showComments())
    await inbox.answer('loadThreads', threadsOf(['t1']))
    fireEvent.change(dialog().getByRole('searchbox', { name: 'Search names and comments' }), {
      target: { value: 'old' },
    })
    await inbox.pass(300)
    await inbox.answer('loadThreads', threadsOf([], 'older'))
    expect(shown()).toContain('Not found among the newest comments.')
    await expectScreen()
    await press('Show more')
    await inbox.answer('loadThreads', threadsOf(['t2']))
    expect(shown()).not.toContain('Not found')
    expect(dialog().getAllByRole('listitem').length).toBe(1)
    inbox.unmount()
  })

  it('keep the focus at the comment that has it when a newer one arrives', async () => {
    const inbox = await openDialog(await showComments())
    await inbox.answer('loadThreads', threadsOf(['t1']))
    const [row] = dialog().getAllByRole('listitem')
    const button = within(row as HTMLElement).getByRole('button')
    act(() => button.focus())
    await inbox.tell(changed)
    await inbox.pass(1_000)
    await inbox.answer('loadThreads', threadsOf(['t2', 't1']))
    const rows = dialog().getAllByRole('listitem')
    expect(rows.map((each) => each.contains(document.activeElement))).toEqual([false, true])
    inbox.unmount()
  })

  it('open with their post, and are read again when something changes', async () => {
    const inbox = await openDialog(await showComments())
    await inbox.answer('loadThreads', threadsOf(['t1']))
    await press(/Magkano po/)
    expect(shown()).toContain('Loading the comment…')
    await inbox.fail('loadThread', faults.refused)
    expect(shown()).toContain('The comment could not be loaded.')
    await press('Try again')
    await inbox.tell({ type: 'comments.changed', thread: null })
    await inbox.answer('loadThread', oneThread(young()))
    await inbox.pass(300)
    await inbox.fail('loadThread', faults.noAnswer)
    await inbox.pass(2_000)
    await inbox.answer(
      'loadThread',
      threadOf([young(), young({ id: 'c2', by_page: true, parent_id: 'c1', message: 'P250 po', staff_name: 'Paolo' })]),
    )
    expect(dialog().getByRole('figure', { name: 'The post' }).textContent).toContain('Tarpaulin promo')
    expect(shown()).toContain('by Paolo')
    await expectScreen()
    await press('No answer needed')
    await inbox.fail('finishThread', faults.refused)
    await press('No answer needed')
    await inbox.answer('finishThread', threadOf([young()], { waiting_since: null }))
    expect(dialog().queryByRole('button', { name: 'No answer needed' })).toBeNull()
    await press(/Magkano po/)
    await press('Back to the list')
    expect(shown()).toContain('Choose a comment to answer it.')
    inbox.unmount()
  })

  it('lead to the chat that followed', async () => {
    const inbox = await openThread(young({ private_reply: usedPrivately }))
    await press('Go to the chat')
    expect([inbox.opened, screen.queryByRole('dialog', { name: 'Comments' })]).toEqual([['ana'], null])
    inbox.unmount()
  })

  it('of people who only read have no actions', async () => {
    const inbox = await openDialog(await showComments(['conversations.read']))
    await inbox.answer('loadThreads', threadsOf(['t1']))
    await press(/Magkano po/)
    await inbox.answer('loadThread', oneThread(young({ sends: [openSend('public')] })))
    expect(dialog().queryAllByRole('button', { name: /Answer|Hide|Like|Delete|Look again|No answer/ })).toEqual([])
    inbox.unmount()
  })
})

const instagram = postOf({ platform: 'instagram' })
const live = postOf({ platform: 'instagram', kind: 'live', is_live: true })

describe('A comment says what the network allows', () => {
  it.each<[string, PostComment, Post, string, string[]]>([
    [
      'a new one',
      young(),
      postOf(),
      'Private reply possible until',
      ['Answer', 'Answer in private', 'Like', 'Hide', 'Delete'],
    ],
    [
      'one of Instagram',
      young(),
      instagram,
      'Private reply possible until',
      ['Answer', 'Answer in private', 'Hide', 'Delete'],
    ],
    [
      'one under a live video of Instagram',
      young(),
      live,
      'Instagram takes no public answer under a live video.',
      ['Answer in private', 'Hide', 'Delete'],
    ],
    [
      'one after the live video',
      young(),
      { ...live, is_live: false },
      'only during the live video',
      ['Hide', 'Delete'],
    ],
    [
      'one after seven days',
      commentOf({ created_at: '2026-01-01T00:00:00Z' }),
      postOf(),
      'The 7 days for a private reply are over.',
      ['Answer', 'Like', 'Hide', 'Delete'],
    ],
    [
      'one that was answered in private',
      young({ private_reply: usedPrivately }),
      postOf(),
      'Answered in private',
      ['Answer', 'Like', 'Hide', 'Delete'],
    ],
    [
      'one answered elsewhere',
      young({ private_reply: { at: '2026-11-21T08:00:00Z', message: null, conversation_id: null } }),
      postOf(),
      'outside the inbox',
      ['Answer', 'Like', 'Hide', 'Delete'],
    ],
    [
      'a hidden one on Instagram',
      young({ is_hidden: true }),
      instagram,
      'Instagram takes no answer to a hidden comment.',
      ['Answer in private', 'Show again', 'Delete'],
    ],
    [
      'one that the customer deleted',
      young({ removed_by: 'person', message: null }),
      postOf(),
      'Deleted by the customer',
      [],
    ],
    ['one that the page deleted', young({ removed_by: 'staff', message: null }), postOf(), 'Deleted by the page', []],
    [
      'one of the page',
      young({ by_page: true, is_liked: true }),
      postOf(),
      'Liked',
      ['Take the like back', 'Hide', 'Delete'],
    ],
    [
      'one with an unconfirmed private reply',
      young({ sends: [openSend('private')] }),
      postOf(),
      'It is not certain whether the private reply arrived.',
      ['Answer', 'Like', 'Hide', 'Delete'],
    ],
  ])('%s', async (_, comment, post, words, actions) => {
    const inbox = await openThread(comment, post)
    const card = dialog().getAllByRole('listitem').at(-1)
    expect(card?.textContent).toContain(words)
    const names = [...(card?.querySelectorAll('button[aria-label]') ?? [])].map(
      (button) => button.getAttribute('aria-label')?.split(':')[0],
    )
    expect(names).toEqual(actions)
    const leadsToChat = within(card as HTMLElement).queryByRole('button', { name: 'Go to the chat' }) !== null
    expect(leadsToChat).toBe(comment.private_reply?.conversation_id != null)
    await expectScreen()
    inbox.unmount()
  })
})

describe('An answer', () => {
  const field = () => dialog().getByRole<HTMLTextAreaElement>('textbox')
  const type = (value: string) => act(async () => fireEvent.change(field(), { target: { value } }))
  const submit = () => act(async () => fireEvent.submit(field().form as Element))

  it('is sent by Ctrl+Enter but not by Enter, and the focus stays in the thread', async () => {
    const inbox = await openThread(young())
    await press(/^Answer: /)
    const enter = (init: object) => act(async () => fireEvent.keyDown(field(), { key: 'Enter', ...init }))
    await enter({ ctrlKey: true })
    await type('Opo')
    await enter({})
    const before = inbox.waiting('sendReply')
    await enter({ ctrlKey: true })
    expect([before.length, inbox.waiting('sendReply').length]).toEqual([0, 1])
    expect(document.activeElement).toBe(dialog().getByRole('region', { name: /^Comment of/ }))
    inbox.unmount()
  })

  it('is written, leaves once, and is shown as not certain until its thread tells', async () => {
    const inbox = await openThread(young())
    await press(/^Answer: /)
    expect(document.activeElement).toBe(field())
    await press('Cancel')
    await press(/^Answer: /)
    await type('P250 po')
    expect([...inbox.keptAnswers.values()].map(({ text, status }) => [text, status])).toEqual([['P250 po', 'typed']])
    await submit()
    expect([inbox.waiting('sendReply').length, dialog().queryByRole('textbox')]).toEqual([1, null])
    const [input] = inbox.waiting('sendReply') as { key: string }[]
    await inbox.fail('sendReply', faults.noAnswer)
    expect(dialog().queryByRole('button', { name: /^Answer: / })).toBeNull()
    await press('Discard')
    await click(screen.getAllByRole('button', { name: 'Cancel' }).at(-1) as Element)
    expect([...inbox.keptAnswers.values()].map(({ status }) => status)).toEqual(['unconfirmed'])
    const known = oneThread(young({ sends: [openSend('public', { key: input?.key ?? '' })] }))
    await inbox.pass(2_000)
    expect(inbox.waiting('findAnswer')).toEqual([{ threadId: 't1', commentId: 'c1', key: input?.key }])
    await inbox.answer('findAnswer', 'held')
    await inbox.pass(300)
    await inbox.answer('loadThread', known)
    expect([shown().includes('It is not certain whether this answer arrived:'), inbox.keptAnswers.size]).toEqual([
      true,
      0,
    ])
    await press('Look again')
    await inbox.fail('decideSend', faults.refused)
    await press('Send again')
    await inbox.answer('decideSend', oneThread(young()))
    expect(shown()).not.toContain('It is not certain')
    inbox.unmount()
  })

  it('that was typed before a reload is in its form again', async () => {
    const inbox = await openThread(young(), undefined, [answerOf({ status: 'typed', text: 'P25' })])
    expect([field().value, document.activeElement === field()]).toEqual(['P25', false])
    await submit()
    expect(inbox.waiting('sendReply')).toEqual([{ commentId: 'c1', kind: 'public', message: 'P25', key: 'k1' }])
    inbox.unmount()
  })

  it('that may have left before a reload is looked for, and leaves again only if the person asks', async () => {
    const inbox = await openThread(young(), undefined, [answerOf({ status: 'pending' })])
    await press('Send again')
    expect(inbox.waiting('sendReply')).toMatchObject([{ key: 'k1' }])
    await inbox.fail('sendReply', faults.refused)
    isOnline = false
    await press('Send again')
    expect(inbox.waiting('sendReply')).toEqual([])
    await inbox.pass(2_000)
    await inbox.answer('findAnswer', 'unknown')
    await inbox.pass(4_000)
    await inbox.fail('findAnswer', faults.noAnswer)
    // No answer in time.
    await inbox.pass(8_000)
    await inbox.pass(30_000)
    await inbox.pass(16_000)
    expect(dialog().queryByRole('button', { name: 'Look again' })).toBeNull()
    await inbox.answer('findAnswer', 'unknown')
    await press('Send again')
    expect([inbox.waiting('sendReply'), [...inbox.keptAnswers.values()].map(({ status }) => status)]).toEqual([
      [],
      ['notFound'],
    ])
    await press('Look again')
    await inbox.answer('findAnswer', 'unknown')
    for (const wait of [4_000, 8_000, 16_000]) {
      await inbox.pass(wait)
      await inbox.answer('findAnswer', 'unknown')
    }
    isOnline = true
    await press('Send again')
    expect(inbox.waiting('sendReply')).toMatchObject([{ key: 'k1' }])
    await inbox.pass(35_000)
    expect([...inbox.keptAnswers.values()].map(({ status }) => status)).toEqual(['unconfirmed'])
    inbox.unmount()
  })

  it('that is written offline waits, and one press sends it once the connection is back', async () => {
    const inbox = await openThread(young())
    await press(/^Answer: /)
    await type('P')
    await type('')
    expect(inbox.keptAnswers.size).toBe(0)
    await type('P250 po')
    isOnline = false
    await submit()
    await press('Send again')
    expect([inbox.waiting('sendReply'), [...inbox.keptAnswers.values()].map(({ status }) => status)]).toEqual([
      [],
      ['offline'],
    ])
    isOnline = true
    await inbox.tell({ type: 'browser.online' })
    expect(inbox.waiting('sendReply')).toEqual([])
    await press('Close')
    await click(await screen.findByRole('button', { name: 'Send 1 waiting message' }))
    await inbox.fail('sendReply', faults.refused)
    await click(screen.getByRole('button', { name: /^Comments/ }))
    await inbox.answer('loadThreads', threadsOf(['t1']))
    await press(/Magkano po/)
    await inbox.answer('loadThread', oneThread(young()))
    await press('Send again')
    await inbox.answer('sendReply', oneThread(young()))
    expect(inbox.keptAnswers.size).toBe(0)
    inbox.unmount()
  })

  it.each(['Send again', 'Send 1 waiting message'])('that waits since a reload leaves with "%s"', async (name) => {
    const inbox = await openThread(young(), undefined, [answerOf({ status: 'queued' })])
    await click(screen.getAllByRole('button', { name, hidden: true })[0] as Element)
    expect(inbox.waiting('sendReply')).toMatchObject([{ key: 'k1' }])
    inbox.unmount()
  })

  it('that was refused is listed with the unsent messages, and is discarded there after a question', async () => {
    const inbox = await openThread(young(), undefined, [
      answerOf({ status: 'failed', failure: 'The page is inactive.' }),
    ])
    expect(shown()).toContain('The page is inactive.')
    await press('Close')
    await click(screen.getByRole('button', { name: '1 unsent message' }))
    await act(() => vi.dynamicImportSettled())
    const unsent = within(await screen.findByRole('dialog', { name: 'Unsent messages' }))
    expect(unsent.getByRole('listitem').textContent).toContain('Public answer')
    await expectScreen()
    await click(unsent.getByRole('button', { name: 'Ana Reyes' }))
    await screen.findByRole('dialog', { name: 'Comments' })
    expect(inbox.waiting('loadThread')).toEqual([{ threadId: 't1' }])
    await press('Close')
    await click(screen.getByRole('button', { name: '1 unsent message' }))
    const again = within(await screen.findByRole('dialog', { name: 'Unsent messages' }))
    await click(again.getByRole('button', { name: 'Discard' }))
    await click(screen.getAllByRole('button', { name: 'Discard' }).at(-1) as Element)
    expect([inbox.keptAnswers.size, screen.queryByRole('button', { name: '1 unsent message' })]).toEqual([0, null])
    inbox.unmount()
  })

  it.each([
    ['public', /^Answer: /, 'The answer was sent'],
    ['private', /^Answer in private: /, 'The private reply was sent'],
  ])('in %s closes its form and says that it was sent', async (kind, action, told) => {
    const inbox = await openThread(young())
    await press(action)
    await type(' P250 po ')
    await submit()
    expect(inbox.waiting('sendReply')).toEqual([{ commentId: 'c1', kind, message: 'P250 po', key: expect.any(String) }])
    await inbox.answer('sendReply', threadOf([young(), young({ id: 'c2', by_page: true, message: 'P250 po' })]))
    await act(() => vi.dynamicImportSettled())
    expect([dialog().queryByRole('textbox'), screen.queryByText(told) !== null]).toEqual([null, true])
    inbox.unmount()
  })

  it('in private is refused in words once it is not possible anymore', async () => {
    const inbox = await openThread(young())
    await press(/^Answer in private: /)
    await type('Hi')
    await inbox.tell(changed)
    await inbox.pass(300)
    await inbox.answer('loadThread', oneThread(young({ private_reply: usedPrivately })))
    expect([shown().includes('This answer is not possible anymore.'), field().value]).toEqual([true, 'Hi'])
    inbox.unmount()
  })

  it('that is too long says so', async () => {
    const inbox = await openThread(young(), instagram)
    await press(/^Answer: /)
    await type('x'.repeat(301))
    expect(shown()).toContain('This answer is too long.')
    await submit()
    expect(inbox.waiting('sendReply')).toEqual([])
    inbox.unmount()
  })

  it('in private is possible until the seven days end', async () => {
    const created = new Date(Date.now() - 7 * 24 * 3_600_000 + 60_000).toISOString()
    const inbox = await openThread(commentOf({ created_at: created }))
    expect(shown()).toContain('Private reply possible until')
    await inbox.pass(60_000)
    expect(shown()).toContain('The 7 days for a private reply are over.')
    inbox.unmount()
  })
})

it('A comment is liked, hidden, and deleted after a question', async () => {
  const inbox = await openThread(young())
  await press(/^Like: /)
  await inbox.fail('changeComment', faults.refused)
  await inbox.pass(300)
  await inbox.answer('loadThread', oneThread(young()))
  await press(/^Hide: /)
  expect(inbox.waiting('changeComment')).toEqual([{ commentId: 'c1', change: { kind: 'hide', hidden: true } }])
  await inbox.answer('changeComment', oneThread(young({ is_hidden: true })))
  expect(shown()).toContain('Hidden')
  await press(/^Delete: /)
  await click(screen.getByRole('button', { name: 'Cancel' }))
  await press(/^Delete: /)
  await expectScreen()
  await click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  await inbox.answer('changeComment', oneThread(young({ removed_by: 'staff', message: null })))
  expect(shown()).toContain('Deleted by the page')
  inbox.unmount()
})

describe('The search', () => {
  it('finds by words, page and post', async () => {
    const inbox = await openDialog(await showComments())
    await inbox.answer('loadPages', [pageOf('p1', { page_name: 'Prints' }), pageOf('p2', { page_name: 'Cakes' })])
    await inbox.answer('loadThreads', threadsOf(['t1']))
    const box = dialog().getByRole('searchbox', { name: 'Search names and comments' })
    const search = (value: string) => act(async () => fireEvent.change(box, { target: { value } }))
    await search('an')
    await search('ana')
    await inbox.pass(300)
    expect(inbox.waiting('loadThreads')).toMatchObject([{ search: 'ana', pageId: null, postId: null }])
    await inbox.answer('loadThreads', threadsOf([]))
    expect(shown()).toContain('No comments found.')
    await expectScreen()
    await act(async () => fireEvent.keyDown(box, { key: 'Escape' }))
    await search('ana')
    await press('Clear the search')
    expect([(box as HTMLInputElement).value, document.activeElement]).toEqual(['', box])
    await inbox.pass(300)
    await inbox.answer('loadThreads', threadsOf(['t1']))
    await press(/Magkano po/)
    await inbox.answer('loadThread', oneThread(young()))
    expect(shown()).toContain('Answers go out as Prints')
    await press('All comments of this post')
    expect(inbox.waiting('loadThreads')).toMatchObject([{ search: '', postId: 'post-1' }])
    await inbox.fail('loadThreads', faults.refused)
    await search('ana')
    await press('Show all posts')
    await act(async () =>
      fireEvent.change(dialog().getByRole('combobox', { name: 'Page' }), { target: { value: 'p2' } }),
    )
    expect(inbox.waiting('loadThreads')).toMatchObject([{ search: 'ana', pageId: 'p2', postId: null }])
    await inbox.answer('loadThreads', threadsOf(['t1']))
    inbox.unmount()
  })
})

describe('The walks through the comments', () => {
  it('enter every state', () =>
    expect([
      ...list.statesMissed(),
      ...thread.statesMissed(),
      ...comment.statesMissed(),
      ...count.statesMissed(),
      ...answers.statesMissed(),
      ...answerFlow.statesMissed(),
      // Left in the same step, so no snapshot shows them.
    ]).toEqual(['comment.work.restoring', 'answerFlow.resuming']))
  it('take every transition', () =>
    expect([
      ...list.transitionsMissed(),
      ...thread.transitionsMissed(),
      ...comment.transitionsMissed(),
      ...count.transitionsMissed(),
      ...answers.transitionsMissed(),
      ...answerFlow.transitionsMissed(),
    ]).toEqual([
      // The button is disabled until `answers` is loaded.
      'comment.work.handing -- always #1 --> comment.work.writing',
      // What the channel of colleagues tells, a storage that cannot be read, and the check that no button offers while one
      // is due, are tested in the model.
      'answers -- comments.changed --> stays',
      'answers.restoring -- xstate.error.actor.loadAnswers --> answers.ready',
      'answerFlow.unconfirmed -- check.requested --> answerFlow.unconfirmed.checking',
    ]))
})
