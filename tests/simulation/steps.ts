import { mergeConversations } from '../../server/database/groups.ts'
import { thingKinds } from '../../server/stand-ins/sandbox/things.ts'
import { shopKinds } from '../../src/schemas/shop.ts'
import { storeFaults } from './files.ts'
import type { Process } from './kernel.ts'
import type { Exchange, Fate } from './network.ts'
import { receiverFaults, receiverOrigin, shopBodies } from './other-programs.ts'
import type { StaffMember } from './people.ts'
import {
  type Customer,
  customers,
  lateCustomer,
  pages,
  posts,
  programKey,
  regularStaff,
  removablePage,
  staff,
  staffPassword,
  tokenOf,
} from './sandbox.ts'
import type { What } from './script.ts'
import type { World } from './world.ts'

type SandboxFaults = Record<string, unknown>

/** Customers ask these now and then; the first is answered by a FAQ entry. */
const questions = ['When are you open?', 'Magkano po? 👍', 'Hello']

const second = 1_000
const minute = 60 * second

const ignored = () => undefined

/** Carries out the steps of a script. */
export function createSteps(world: World, members: readonly StaffMember[]) {
  const { kernel, network, database, servers, control } = world
  const nth = <Item>(items: readonly Item[], which: number): Item => items[which % items.length] as Item
  let count = 0
  let faults: SandboxFaults = {}
  /** Messages of customers that can still be deleted. */
  const written: { psid: string; mid: string }[] = []

  /** Messages with files, which nobody edits. */
  const pictures: { psid: string; mid: string }[] = []
  const edited = new Set<string>()
  /** Merges that were not undone yet. */
  const merges: { kept: string; other: string; before: { changes: number; rows: string } }[] = []

  /** Comments that can still be edited and deleted. */
  const commented: { psid: string; postId: string; id: string }[] = []

  /** Queues an event that the sandbox itself does not know of. */
  async function sendWebhook(psid: string, event: object): Promise<void> {
    const { pageId, platform } = [...customers, lateCustomer].find((customer) => customer.psid === psid) as Customer
    const account =
      (platform === 'instagram' && pages.find(({ page_id }) => page_id === pageId)?.instagram_id) || pageId
    const time = Math.floor(kernel.now())
    const messaging = [{ sender: { id: psid }, recipient: { id: account }, timestamp: time, ...event }]
    const body = { object: platform === 'instagram' ? platform : 'page', entry: [{ id: account, time, messaging }] }
    await database.read(
      'insert into sandbox.webhooks (body, due_at) select $1, $3 from sandbox.pages where page_id = $2 and subscribed',
      [JSON.stringify(body), pageId, new Date(time)],
    )
  }

  /** A message of more than a day ago, whose webhook comes now. */
  async function writeLate({ psid, pageId }: Customer, text: string): Promise<void> {
    const at = new Date(kernel.now() - 30 * 60 * minute)
    await database.read(
      `insert into sandbox.messages (mid, page_id, psid, from_page, text, created_at)
       values ($1, $2, $3, false, $4, $5)`,
      [`late-${text}`, pageId, psid, text, at],
    )
    await sendWebhook(psid, { timestamp: at.getTime(), message: { mid: `late-${text}`, text } })
  }

  const changesOfClients = async (): Promise<number> => {
    const [row] = await database.read<{ count: number }>(
      `select (select count(*) from audit_entries where action like 'client%' or action like 'order%' or action like 'chat%')::integer
         + (select count(*) from clients)::integer + (select count(*) from orders)::integer
         + (select count(*) from fb_users)::integer as count`,
    )
    return row?.count ?? 0
  }
  /** What a merge changes and its undo restores, of these clients. `changes` grows with each change of clients. */
  async function clientsAsStored(ids: readonly string[]): Promise<{ changes: number; rows: string }> {
    const rows = await database.read(
      `select c.id, c.first_name, c.last_name, c.email, c.phone, c.external_id, c.removed_at,
         (select array_agg(o.id order by o.id) from orders o where o.client_id = c.id) as orders,
         (select array_agg(f.id || ' in ' || f.primary_user_id order by f.id) from fb_users f where f.client_id = c.id)
           as identities
       from clients c where c.id = any($1::text[]) order by c.id`,
      [ids],
    )
    return { changes: await changesOfClients(), rows: JSON.stringify(rows) }
  }

  const setFaults = async (change: SandboxFaults) => {
    faults = { ...faults, ...change }
    await control('PUT', '/faults', faults)
  }
  const member = (which: number) => nth(members, which)
  const choose = (which: number) => Math.floor(which / 16)

  async function customerWrites(which: number, text?: string): Promise<void> {
    const { psid } = nth(customers, which)
    count += 1
    const said = text ?? (which % 5 === 0 ? nth(questions, choose(which)) : `c${count}`)
    const { mid } = await control<{ mid: string }>('POST', `/people/${psid}/messages`, { text: said })
    written.push({ psid, mid })
  }

  let admin: { token: string; at: number } | null = null
  async function adminToken(): Promise<string | null> {
    if (admin !== null && kernel.now() - admin.at < 5 * minute) return admin.token
    const token = await world.signIn(staff[0].email, staffPassword).catch(() => null)
    admin = token === null ? null : { token, at: kernel.now() }
    return token
  }

  const isClientCall = ({ from, to }: Exchange) => from.startsWith('client') && to.startsWith('server')
  const isWebhook = ({ path }: Exchange) => path.startsWith('/webhooks')
  const isGraphCall = ({ from, to }: Exchange) => from.startsWith('server') && to === 'network'
  const addRule = (which: number, fate: Partial<Fate>, among = [isClientCall, isWebhook, isGraphCall]) =>
    world.addRule({ matches: nth(among, which), fate, times: 1 + (choose(which) % 3) })

  function killServer(which: number): void {
    const server = nth(servers, which)
    const process = server.process()
    if (process === undefined || !process.isAlive || process.endAt !== null) return
    const kind = nth(['call', 'statement', 'timer'] as const, choose(which))
    process.endAt = { kind, count: 1 + (which % 37) }
    process.onEnd.add(() =>
      kernel.schedule(supervisor, 500 + (which % 9) * 2_000, `starts ${server.machine.name}`, server.start),
    )
    // A machine that lost its power says nothing to its peers.
    if (which % 7 === 0) process.onEnd.add(() => network.silence(process))
  }
  const supervisor: Process = kernel.start({ name: 'supervisor', clockOffset: 0, sleepsUntil: 0 }, 'supervisor')

  const steps: Record<What, (which: number) => unknown> = {
    customerWrites: (which) => customerWrites(which),
    customerBursts: async (which) => {
      for (let number = 0; number < 5 + (which % 15); number++) await customerWrites(which + number * (which % 3))
    },
    customerDeletes: async (which) => {
      const among = which % 4 === 0 && pictures.length > 0 ? pictures : written
      const [message] = among.splice(which % Math.max(among.length, 1), 1)
      if (message) await control('DELETE', `/people/${message.psid}/messages/${message.mid}`)
    },
    customerSendsPicture: async (which) => {
      const attachments = nth([['image'], ['image', 'image'], ['video'], ['audio'], ['file']], choose(which))
      const { psid } = nth(customers, which)
      const { mid } = await control<{ mid: string }>('POST', `/people/${psid}/messages`, { attachments })
      pictures.push({ psid, mid })
    },
    customerEdits: async (which) => {
      const message = nth(written.length > 0 ? written : [null], choose(which))
      if (message === null || edited.has(message.mid)) return
      edited.add(message.mid)
      await database.read('update sandbox.messages set text = $2 where mid = $1', [
        message.mid,
        `${message.mid} edited`,
      ])
      await sendWebhook(message.psid, {
        message_edit: { mid: message.mid, text: `${message.mid} edited`, num_edit: 1 },
      })
    },
    // To a message of the person or of the page; now and then the page reacts in its own app.
    customerReacts: async (which) => {
      const { psid } = nth(customers, which)
      const found = await database.read<{ mid: string }>(
        'select mid from sandbox.messages where psid = $1 order by seq desc limit 4',
        [psid],
      )
      const message = nth(found.length > 0 ? found : [null], choose(which))
      if (message === null) return
      const emoji = nth(['👍', '❤', null], which)
      const by = which % 5 === 0 ? 'page' : 'person'
      await control('POST', `/people/${psid}/reactions`, { mid: message.mid, emoji, by })
    },
    customerReads: (which) => control('POST', `/people/${nth(customers, which).psid}/reads`),
    customerReplies: async (which) => {
      const { psid } = nth(customers, which)
      const found = await database.read<{ mid: string }>(
        'select mid from sandbox.messages where psid = $1 order by seq desc limit 4',
        [psid],
      )
      const original = nth(found.length > 0 ? found : [null], choose(which))
      if (original === null) return
      count += 1
      const body = { text: `c${count}`, replyTo: original.mid }
      const { mid } = await control<{ mid: string }>('POST', `/people/${psid}/messages`, body)
      written.push({ psid, mid })
    },
    // All kinds of message parts. The network keeps no message of some kinds.
    customerSendsThing: async (which) => {
      const { psid } = nth(customers, which)
      const thing = nth(thingKinds, choose(which))
      count += 1
      const sent = await control<{ mid: string } | null>('POST', `/people/${psid}/messages`, {
        thing,
        seed: which % 24,
        mid: `thing-${count}`,
      })
      if (sent === null) world.events.push({ psid, kind: thing })
    },
    customerTaps: async (which) => {
      const title = nth(['Pickup', 'Order', 'Delivery'], choose(which))
      await control('POST', `/people/${nth(customers, which).psid}/taps`, { title }).catch(ignored)
    },
    // The webhook comes so late that staff can answer only with a template, or as a person.
    customerWroteYesterday: async () => {
      count += 1
      await writeLate(lateCustomer, `c${count}`)
    },
    // During a live sale most comments claim something.
    customerComments: async (which) => {
      const { psid, pageId, platform } = nth(customers, which)
      const post = nth(
        posts.filter((one) => one.pageId === pageId && one.platform === platform),
        choose(which),
      )
      if (post === undefined) return
      count += 1
      const own = commented.filter((one) => one.psid === psid && one.postId === post.id)
      const parent = which % 7 === 0 ? own.at(-1)?.id : undefined
      const message = which % 3 === 0 ? `k${count}` : `mine ${1 + (which % 2)} x${1 + (choose(which) % 2)} k${count}`
      const { id } = await control<{ id: string }>('POST', '/comments', {
        psid,
        postId: post.id,
        message,
        ...(parent === undefined ? {} : { parentId: parent }),
      })
      commented.push({ psid, postId: post.id, id })
    },
    customerEditsComment: async (which) => {
      const comment = nth(commented.length > 0 ? commented : [null], which)
      count += 1
      if (comment !== null) await control('PUT', `/comments/${comment.id}`, { message: `k${count}` }).catch(ignored)
    },
    customerDeletesComment: async (which) => {
      const [comment] = commented.splice(which % Math.max(commented.length, 1), 1)
      if (comment !== undefined) await control('DELETE', `/comments/${comment.id}`).catch(ignored)
    },
    broadcastChanges: (which) => {
      const live = nth(
        posts.filter(({ isLive }) => isLive),
        which,
      )
      return control('PUT', `/posts/${live.id}`, { broadcast: choose(which) % 2 === 0 })
    },
    pageAnswersElsewhere: async (which) => {
      count += 1
      await control('POST', `/people/${nth(customers, which).psid}/replies`, { text: `e${count}` })
    },
    staffSignsIn: (which) => member(which).signIn(),
    staffSignsOut: (which) => member(which).signOut(),
    anotherSignsIn: (which) => member(which).signInAnother(choose(which)),
    staffPresses: (which) => member(which).press(choose(which)),
    staffOpens: (which) => member(which).open(choose(which)),
    staffOpensCustomer: async (which) => {
      const { psid } = nth(customers, choose(which))
      const [person] = await database.read<{ id: string }>('select id from fb_users where psid = $1', [psid])
      if (person !== undefined) member(which).openConversationOf(person.id)
    },
    staffLeaves: (which) => member(which).leave(),
    staffWrites: (which) => {
      count += 1
      member(which).write(`s${count}`, { page: choose(which) % 3 === 0, clicks: 1 })
    },
    staffDoubleClicks: (which) => {
      count += 1
      member(which).write(`s${count}`, { page: false, clicks: 2 })
    },
    staffReplies: (which) => {
      count += 1
      member(which).write(`s${count}`, { page: true, clicks: 1, replyTo: choose(which) })
    },
    staffReacts: (which) => member(which).react(choose(which)),
    staffSendsStructure: (which) => {
      count += 1
      member(which).writeStructured(`s${count}`, choose(which))
    },
    staffAttachesFiles: (which) => {
      count += 1
      member(which).attach(`f${count}`, choose(which))
    },
    staffSendsFiles: (which) => {
      count += 1
      member(which).sendFiles(`s${count}`, choose(which))
    },
    staffChangesFiles: (which) => member(which).changeFiles(choose(which)),
    staffWorksOnComments: (which) => {
      count += 1
      member(which).workOnComments(choose(which), `a${count}`)
    },
    staffTypes: (which) => member(which).type(choose(which) % 3 === 0 ? '' : 'typed'),
    staffRetries: (which) => member(which).retry(choose(which)),
    staffDiscards: (which) => member(which).discard(choose(which)),
    staffFiltersByPage: (which) => member(which).filterByPage(choose(which)),
    staffSearches: (which) => member(which).search(choose(which)),
    staffChoosesUnread: (which) => member(which).chooseUnread(choose(which)),
    staffRefreshes: (which) => member(which).refresh(),
    staffSyncsRecent: (which) => member(which).syncRecent(),

    staffChangesStates: async (which) => {
      const ids = await database.read<{ id: string }>('select id from staff order by email')
      const labels = await database.read<{ id: string }>('select id from labels where deleted_at is null order by name')
      member(which).changeStates(
        choose(which),
        ids.map(({ id }) => id),
        labels.map(({ id }) => id),
      )
    },
    staffWritesNote: (which) => {
      count += 1
      member(which).writeNote(`n${count}`)
    },
    staffDeletesNote: (which) => member(which).deleteNote(choose(which)),
    staffUndoes: (which) => member(which).undo(),
    staffChoosesView: (which) => member(which).chooseView(choose(which)),

    staffOpensDialog: (which) => member(which).openDialog(choose(which)),
    staffWorksInDialog: (which) => member(which).workInDialog(choose(which)),
    staffClosesDialog: (which) => member(which).closeDialog(),

    adminConnectsPage: async () => {
      const token = await adminToken()
      const body = { page_name: removablePage.name, page_access_token: tokenOf(removablePage.page_id), is_active: true }
      if (token !== null) await world.change(token, 'POST', '/facebook/pages', body)
    },
    adminRemovesPage: async () => {
      const token = await adminToken()
      if (token !== null) await world.change(token, 'DELETE', `/facebook/pages/${removablePage.page_id}`, undefined)
    },
    adminSyncsHistory: async (which) => {
      const token = await adminToken()
      const { page_id } = nth(pages, which)
      const body = { platform: nth(['messenger', 'instagram'], choose(which)), limit: nth([1, 50], choose(which)) }
      if (token !== null) await world.change(token, 'POST', `/facebook/pages/${page_id}/sync-history`, body)
    },
    adminErasesPerson: async (which) => {
      const token = await adminToken()
      const { psid } = nth(customers, which)
      const identities = await database.read<{ id: string; psid: string; conversation: string }>(
        `select id, psid, primary_user_id as conversation from fb_users
         where primary_user_id = (select primary_user_id from fb_users where psid = $1)`,
        [psid],
      )
      const [person] = identities
      if (token === null || person === undefined) return
      const at = kernel.now()
      // The answer may be lost after the erasure was stored.
      const requested = {
        psids: identities.map((identity) => identity.psid),
        ids: identities.flatMap(({ id, conversation }) => [id, conversation]),
        at,
        isCertain: false,
      }
      world.erasures.push(requested)
      const erasure = await world.change(token, 'POST', `/persons/${person.conversation}/erase`, {})
      requested.isCertain = erasure !== null
    },
    // Not the administrator, whom the other steps of administrators need.
    adminChangesRole: async (which) => {
      const token = await adminToken()
      const { email, name } = nth(regularStaff.slice(1), which)
      const [person] = await database.read<{ id: string }>('select id from staff where email = $1', [email])
      if (token === null || person === undefined) return
      const role = nth(['agent', 'viewer', 'administrator'], choose(which))
      await world.change(token, 'PUT', `/staff/${person.id}`, { name, role, is_active: choose(which) % 4 !== 0 })
    },
    adminChangesLabel: async (which) => {
      const token = await adminToken()
      const [label] = await database.read<{ id: string }>(
        'select id from labels where deleted_at is null order by name limit 1 offset $1',
        [which % 3],
      )
      if (token === null) return
      count += 1
      const fields = { name: `Label ${count}`, colour: 'blue', keywords: nth([[], ['hello'], ['magkano']], which) }
      if (label === undefined) await world.change(token, 'POST', '/labels', fields)
      else if (choose(which) % 4 === 0) await world.change(token, 'DELETE', `/labels/${label.id}`, undefined)
      else await world.change(token, 'PUT', `/labels/${label.id}`, fields)
    },
    // Typing and seen of a page.
    adminSwitchesSigns: async (which) => {
      const token = await adminToken()
      const { page_id, name } = nth(pages.slice(0, 2), which)
      const body = { page_name: name, is_active: true, shows_typing: which % 4 !== 0, shows_seen: which % 3 !== 0 }
      if (token !== null) await world.change(token, 'PUT', `/facebook/pages/${page_id}`, body)
    },
    adminChangesSale: async (which) => {
      const token = await adminToken()
      const saved = token && (await world.change<{ version: number }>(token, 'GET', '/comments/live-sale', undefined))
      if (!token || !saved) return
      const settings = {
        is_on: which % 5 !== 0,
        post_id: null,
        keyword: 'mine',
        items: [
          { number: 1, name: 'Sale mug', price: 18_500, stock: null },
          { number: 2, name: 'Sale tray', price: 45_000, stock: 2 + (which % 3) },
        ],
      }
      await world.change(token, 'PUT', '/comments/live-sale', { settings, replaces: saved.version })
    },
    programImports: async (which) => {
      count += 1
      const client = `client-${which % 3}`
      const id = `order-${choose(which) % 4}`
      const body = {
        clients: [{ external_id: client, first_name: 'Imported', last_name: client }],
        orders: [
          {
            external_id: id,
            client,
            order_number: `I-${id}`,
            status: 'pending',
            total_amount: count,
            created_at: '2026-03-01T00:00:00.000Z',
          },
        ],
      }
      const answer = await world.change(programKey, 'POST', '/import', body)
      world.imports.push({ id, total: count, isCertain: answer !== null })
    },
    adminMergesClients: async (which) => {
      const token = await adminToken()
      const clients = await database.read<{ id: string; version: number }>(
        'select id, version::integer from clients where removed_at is null order by first_name, last_name, id',
      )
      const [kept, other] = [nth(clients, which), nth(clients, choose(which))]
      if (token === null || kept === undefined || other === undefined || kept.id === other.id) return
      const before = await clientsAsStored([kept.id, other.id])
      const take = which % 2 === 0 ? ['first_name', 'phone'] : []
      const merged = await world.change(token, 'POST', `/clients/${kept.id}/merge`, {
        other: other.id,
        version: kept.version,
        other_version: other.version,
        take,
      })
      if (merged !== null) merges.push({ kept: kept.id, other: other.id, before })
    },
    adminUndoesMerge: async (which) => {
      const token = await adminToken()
      const merge = merges.splice(which % Math.max(merges.length, 1), 1)[0]
      if (token === null || merge === undefined) return
      // Whatever staff and other programs changed since stays, so then nothing can be compared.
      const count = await changesOfClients()
      const isUntouched = count === merge.before.changes + 1
      const restored = await world.change(token, 'POST', `/client-removals/${merge.other}/undo`, {})
      if (restored === null || !isUntouched || (await changesOfClients()) !== count + 1) return
      const after = await clientsAsStored([merge.kept, merge.other])
      world.undone.push({ before: merge.before.rows, after: after.rows })
    },
    adminAddsWebhook: async (which) => {
      const token = await adminToken()
      const known = await database.read('select id from webhook_endpoints')
      if (token === null || known.length >= 2) return
      const events = nth([['message.received'], ['order.changed'], ['message.received', 'conversation.waiting']], which)
      await world.change(token, 'POST', '/webhooks', { url: `${receiverOrigin}/${known.length}`, events })
    },
    adminConnectsShop: async (which) => {
      const token = await adminToken()
      if (token !== null) await world.change(token, 'POST', '/shops', nth(shopBodies, which))
    },
    adminSyncsShop: async (which) => {
      const token = await adminToken()
      const shops = await database.read<{ id: string }>('select id from shops order by kind')
      const shop = nth(shops, which)
      if (token !== null && shop !== undefined) await world.change(token, 'POST', `/shops/${shop.id}/sync`, {})
    },
    shopSells: (which) =>
      world.onShops('sells', async ({ records }) => {
        count += 1
        const price = 1_000 + count
        const items = [{ name: `Item ${count}`, quantity: 1 + (which % 3), price }]
        const customer = choose(which) % 3 === 0 ? null : 1_001 + (choose(which) % 2)
        const buyer = {
          firstName: 'Guest',
          lastName: `G${count}`,
          email: `g${count}@shop.example`,
          phone: '',
          company: '',
        }
        await records.addOrder(nth(shopKinds, which), { items, ...(customer === null ? { buyer } : { customer }) })
      }),
    shopChangesOrder: (which) =>
      world.onShops('changes an order', async ({ records }) => {
        const state = nth(['open', 'paid', 'fulfilled', 'cancelled'] as const, choose(which))
        await records.change(nth(shopKinds, which), 'orders', 1_001 + (which % 8), { state })
      }),
    conversationsAreMerged: async (which) => {
      const rows = await database.read<{ id: string }>('select primary_user_id as id from fb_users order by psid')
      const [one, other] = [nth(rows, which), nth(rows, choose(which))]
      if (one && other)
        await world.onOperator('merges', (db) => mergeConversations(db, one.id, other.id)).catch(ignored)
    },

    adminLinksClient: async (which) => {
      const token = await adminToken()
      const [person] = await database.read<{ id: string }>('select id from fb_users order by psid limit 1 offset $1', [
        which % customers.length,
      ])
      if (token === null || person === undefined) return
      count += 1
      const [known] = await database.read<{ id: string }>('select id from clients order by first_name limit 1')
      const isKnown = known !== undefined && choose(which) % 3 === 0
      const client = isKnown
        ? known
        : await world.change<{ id: string }>(token, 'POST', '/clients', {
            first_name: `Client${count}`,
            last_name: 'Santos',
          })
      if (client === null) return
      await world.change(token, 'POST', '/facebook/link-client', { fbUserId: person.id, clientId: client.id })
    },
    adminChangesFaq: async (which) => {
      const token = await adminToken()
      const [entry] = await database.read<{ id: string }>('select id from faq_entries')
      if (token === null || entry === undefined) return
      await world.change(token, 'PUT', `/faq/entries/${entry.id}`, {
        title: 'Opening hours',
        category_id: 'general',
        keywords: ['open', 'hours'],
        response: `Hello {userName}, we are open from ${which % 12}.`,
        is_active: choose(which) % 3 !== 0,
        priority: which % 100,
      })
    },

    serverIsKilled: killServer,
    // The new process migrates the database while the other servers run.
    serverIsUpgraded: (which) => {
      const server = nth(servers, which)
      const process = server.process()
      server.upgrade()
      if (process === undefined || !process.isAlive || process.endAt !== null) return
      server.kill()
      kernel.schedule(supervisor, 500, `starts ${server.machine.name}`, server.start)
    },
    databaseIsCut: (which) => {
      const process = nth(servers, which).process()
      if (!process?.isAlive) return
      if (choose(which) % 4 === 0) database.cut(process, 'all')
      else database.breakAfter(process, 1 + (choose(which) % 12))
    },
    fileStoreFails: (which) => world.files.fail(nth(storeFaults, which), 1 + (choose(which) % 4)),
    receiverFails: (which) => world.receiver.fail(nth(receiverFaults, which), 1 + (choose(which) % 4)),
    shopFails: (which) =>
      world.onShops('fails', (stand) =>
        stand.setFaults(nth(shopKinds, which), nth([{ limited: 3 }, { down: true }], choose(which))),
      ),
    listenerIsLost: (which) => {
      const process = nth(servers, which).process()
      if (process?.isAlive) database.cut(process, 'listening')
    },
    requestsAreLost: (which) => addRule(which, { loses: 'request' }),
    answersAreLost: (which) => addRule(which, { loses: 'answer' }),
    answersAreLate: (which) => addRule(which, { back: nth([4, 12, 25, 40], choose(which)) * second }),
    // Not to the social network: it sends what it gets, and nobody could prevent it.
    requestsComeTwice: (which) => addRule(which, { copies: 2 }, [isClientCall, isWebhook]),
    networkRefuses: (which) => setFaults({ refuse: { times: 1, code: nth([1, 2, 10, 100], which), status: 400 } }),
    networkSwallows: (which) => setFaults({ loseAnswers: 1 + (which % 2) }),
    networkLosesRequests: (which) => setFaults({ loseRequests: 1 + (which % 2) }),
    networkIsSlow: (which) =>
      setFaults({ delay: { times: 1 + (which % 2), milliseconds: nth([3, 14, 16, 45], choose(which)) * second } }),
    networkLimits: (which) => setFaults({ refuseReads: { times: 1 + (which % 3), code: 4, status: 400, minutes: 1 } }),
    webhooksComeTwice: () => setFaults({ duplicateWebhooks: true }),
    webhooksAreHeld: () => setFaults({ holdWebhooks: true }),
    webhooksAreReversed: () => setFaults({ reverseWebhooks: true }),
    webhooksFlowAgain: () => setFaults({ duplicateWebhooks: false, holdWebhooks: false, reverseWebhooks: false }),
    pageTokenIsRevoked: (which) => control('PUT', `/pages/${nth(pages, which).page_id}`, { tokenValid: false }),
    pageTokenIsValidAgain: (which) => control('PUT', `/pages/${nth(pages, which).page_id}`, { tokenValid: true }),
    socketsGoSilent: (which) => {
      const process = member(which).client.process()
      if (process?.isAlive) network.silence(process)
    },
    socketsAreCut: (which) => {
      const process = member(which).client.process()
      for (const socket of process?.isAlive ? network.socketsOf(process) : []) {
        kernel.schedule(socket.owner, 0, 'socket is cut', () => socket.destroy())
      }
    },
    tabIsHidden: (which) => member(which).client.hide(true),
    tabIsShown: (which) => member(which).client.hide(false),
    tabIsClosed: (which) => member(which).close(),
    tabIsOpened: (which) => {
      if (!member(which).client.isOpen()) member(which).client.open()
    },
    tabSleeps: (which) => {
      const { machine } = member(which).client
      machine.sleepsUntil = kernel.now() + nth([0.5, 1, 1, 2, 2, 2, 2, 15], choose(which)) * minute
    },
    browserGoesOffline: (which) => member(which).client.browser.setOnline(false),
    browserGoesOnline: (which) => member(which).client.browser.setOnline(true),
    storageIsFull: (which) => member(which).client.browser.fillStorage(true),
    storageIsFree: (which) => member(which).client.browser.fillStorage(false),
    clockJumps: (which) => {
      const machine = nth([...servers, ...world.browsers], which).machine
      machine.clockOffset = nth([0, 0, 60, -60, 5, -5], choose(which)) * minute
    },
  }

  /** Reads the shops again, and sends what receivers refused. */
  async function catchUp(): Promise<void> {
    const token = await adminToken()
    if (token === null) return
    for (const { id } of await database.read<{ id: string }>('select id from shops'))
      await world.change(token, 'POST', `/shops/${id}/sync`, {})
    const waiting = await database.read<{ id: string; endpoint_id: string }>(
      `select id::text, endpoint_id from webhook_deliveries where state <> 'delivered' order by id`,
    )
    for (const { id, endpoint_id } of waiting)
      await world.change(token, 'POST', `/webhooks/${endpoint_id}/deliveries/${id}/resend`, {})
  }

  return {
    catchUp,

    perform: async (what: What, which: number) => {
      kernel.log(`step ${what} ${which}`)
      await steps[what](which)
    },

    /** Ends every fault; what they caused stays. Staff sign in again and press retry where something failed. */
    async endFaults(): Promise<void> {
      world.clearRules()
      world.files.endFaults()
      world.receiver.endFaults()
      for (const kind of shopKinds) await world.onShops('works again', (stand) => stand.setFaults(kind, {}))
      await control('PUT', '/faults', {})
      for (const { page_id } of pages)
        await control('PUT', `/pages/${page_id}`, { tokenValid: true, token: tokenOf(page_id) })
      for (const server of servers) {
        const process = server.process()
        if (process !== undefined) process.endAt = null
      }
      for (const { email, role } of staff)
        await database.read('update staff set role = $2, is_active = true where email = $1', [email, role])
      for (const { client } of members) {
        await kernel.runUntil(client.machine.sleepsUntil)
        if (!client.isOpen()) client.open()
        client.browser.fillStorage(false)
        client.browser.setOnline(true)
        client.hide(false)
      }
    },
  }
}
