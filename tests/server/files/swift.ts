import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { reservePort } from '../../../scripts/ports.ts'
import type { S3Settings } from '../../../server/settings.ts'

const servers = ['account', 'container', 'object'] as const

/** A folder whose file system stores extended attributes, which Swift needs. */
const parent = [tmpdir(), '/dev/shm'].find(storesAttributes)

/** Why Swift cannot run; null if it can. In Debian it is the packages swift-proxy, -account, -container and -object. */
export const whyNoSwift = !['proxy', ...servers].every((name) => existsSync(`/usr/bin/swift-${name}-server`))
  ? 'Swift is not installed'
  : parent === undefined
    ? 'no folder for temporary files stores extended attributes'
    : null

function storesAttributes(folder: string): boolean {
  if (!existsSync(folder)) return false
  const probe = mkdtempSync(join(folder, 'staff-inbox-attributes-'))
  try {
    const script = 'import os, sys; os.setxattr(sys.argv[1], "user.probe", b"1")'
    return spawnSync('/usr/bin/python3', ['-c', script, probe]).status === 0
  } finally {
    rmSync(probe, { recursive: true })
  }
}

/** OpenStack Swift with its S3 API and one disk, in a temporary folder. Starts in a few seconds. */
export async function startSwift(): Promise<{ settings: S3Settings; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(parent ?? tmpdir(), 'staff-inbox-swift-'))
  mkdirSync(join(folder, 'disks', 'one'), { recursive: true })
  const processes: ChildProcess[] = []
  const ports: number[] = []
  const start = (name: string, port: number, sections: string) => {
    const file = join(folder, `${name}.conf`)
    const common = `bind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = root\nswift_dir = ${folder}\nlog_level = ERROR`
    const disks = `devices = ${folder}/disks\nmount_check = false\nfallocate_reserve = 0`
    const health = '[filter:healthcheck]\nuse = egg:swift#healthcheck\n'
    writeFileSync(file, `[DEFAULT]\n${common}\n${disks}\n${sections}${health}`)
    ports.push(port)
    processes.push(spawn(`/usr/bin/swift-${name}-server`, [file], { stdio: 'ignore' }))
  }
  for (const name of servers) {
    const port = await reservePort()
    const ring = join(folder, `${name}.builder`)
    for (const change of [['create', '4', '1', '0'], ['add', `r1z1-127.0.0.1:${port}/one`, '1'], ['rebalance']]) {
      execFileSync('swift-ring-builder', [ring, ...change], { stdio: 'ignore' })
    }
    start(
      name,
      port,
      `[pipeline:main]\npipeline = healthcheck ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`,
    )
  }
  const port = await reservePort()
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'inbox-files',
    region: 'us-east-1',
    accessKeyId: 'test:tester',
    secretAccessKey: 'testing',
  }
  const filters = `[filter:tempauth]\nuse = egg:swift#tempauth\nuser_test_tester = testing .admin\n[filter:s3api]\nuse = egg:swift#s3api\ns3_acl = false\n[filter:catch_errors]\nuse = egg:swift#catch_errors\n[filter:cache]\nuse = egg:swift#memcache\n[filter:listing_formats]\nuse = egg:swift#listing_formats\n[filter:bulk]\nuse = egg:swift#bulk\n[filter:slo]\nuse = egg:swift#slo\n`
  // Seconds. With its default of 0.5 s for a connection, Swift takes a busy machine's disk out of use for a minute.
  const patience = 'conn_timeout = 30\nnode_timeout = 30\nerror_suppression_limit = 1000\n'
  start(
    'proxy',
    port,
    `[pipeline:main]\npipeline = catch_errors healthcheck cache listing_formats s3api tempauth bulk slo proxy-server\n[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n${patience}${filters}`,
  )
  const isReady = (port: number) =>
    fetch(`http://127.0.0.1:${port}/healthcheck`).then(
      (response) => response.ok,
      () => false,
    )
  while (!(await Promise.all(ports.map(isReady))).every(Boolean)) {
    if (processes.some(({ exitCode }) => exitCode !== null)) throw new Error('a server of Swift ended')
    await setTimeout(100)
  }
  return {
    settings,
    async stop() {
      const ended = processes.map((child) => new Promise((resolve) => child.once('exit', resolve)))
      for (const child of processes) child.kill()
      await Promise.all(ended)
      rmSync(folder, { recursive: true })
    },
  }
}
