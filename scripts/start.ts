import { buildIfStale } from './spa.ts'

if (await buildIfStale()) await import('../server/main.ts')
else process.exitCode = 1
