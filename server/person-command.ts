import { commandLineActor, recordAudit } from './audit/audit.ts'
import type { Clock } from './clock.ts'
import type { Db } from './database/database.ts'
import { createFileRemoval } from './files/file-removal.ts'
import { openFileStore } from './files/open-file-store.ts'
import type { Logger } from './logger.ts'
import { sendTimeout } from './network/send/stored-sends.ts'
import { openErasedPeople } from './people/erased-people.ts'
import { ClientShared } from './people/erasure-subjects.ts'
import { createErasures } from './people/erasures.ts'
import { exportPerson } from './people/export.ts'
import { findPeople } from './people/find-people.ts'
import { keyringOf } from './secrets.ts'
import type { Settings } from './settings.ts'
import { StartupError } from './startup-error.ts'

type Parts = { db: Db; clock: Clock; logger: Logger }

/** Milliseconds between two checks of an erasure that has to wait. */
const pollInterval = 1_000

/** Erases a person and returns when the erasure is complete. Throws StartupError if `id` matches no person or several. */
export async function eraseByCommand(
  { db, clock, logger }: Parts,
  settings: Parameters<typeof keyringOf>[0] & Parameters<typeof openFileStore>[0] & Pick<Settings, 'business'>,
  { id, withClient }: { id: string; withClient: boolean },
): Promise<void> {
  const erasedPeople = await openErasedPeople(db, keyringOf(settings), settings.business.country)
  const removeFiles = createFileRemoval({ db, store: openFileStore(settings), clock, logger })
  const erasures = createErasures({ db, erasedPeople, removeFiles, sendTimeout, clock, logger })
  const person = await onlyPerson(db, id)
  const erasure = await erasures.beginPerson(person, { by: commandLineActor, withClient }).catch((error: unknown) => {
    throw error instanceof ClientShared ? new StartupError(error.message) : error
  })
  if (erasure === null) throw nobody(id)
  for (;;) {
    await erasures.run(erasure)
    if ((await erasures.find(erasure))?.state !== 'running') return
    await new Promise<void>((resolve) => clock.after(pollInterval, resolve))
  }
}

/** The parts of the JSON document about a person. Throws like `eraseByCommand`. */
export async function* exportByCommand({ db, clock }: Parts, id: string): AsyncGenerator<string> {
  const conversationId = await onlyPerson(db, id)
  await recordAudit(db, {
    at: clock.now(),
    by: commandLineActor,
    action: 'person.exported',
    row: { kind: 'conversation', id: conversationId },
  })
  yield* exportPerson(db, conversationId, new Date(clock.now()))
}

async function onlyPerson(db: Db, id: string): Promise<string> {
  const [first, ...others] = await findPeople(db, id)
  if (first === undefined) throw nobody(id)
  if (others.length === 0) return first
  throw new StartupError(`"${id}" belongs to several people. Name one conversation: ${[first, ...others].join(', ')}.`)
}

const nobody = (id: string) => new StartupError(`Nobody is known by "${id}".`)
