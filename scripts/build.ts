import { build } from './spa.ts'

process.exitCode = (await build()) ? 0 : 1
