import { Hono } from 'hono'
import type { AppParts } from '../../server/app.ts'

/** For tests that measure nothing. */
export const noOperations: AppParts['operations'] = { measure: (_, next) => next(), routes: new Hono() }
