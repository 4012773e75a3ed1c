import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { S3Settings } from '../../../server/settings.ts'

const servers = ['account', 'container', 'object'] as const

/** Whether OpenStack Swift is installed: in Debian the packages swift-proxy, -account, -container and -object. */
export const isSwiftInstalled = ['proxy', ...servers].every((name) => existsSync(`/usr/bin/swift-${name}-server`))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** OpenStack Swift with its S3 API and one disk, in a temporary folder. Starts in a few seconds. */
export async function startSwift(): Promise<{ settings: S3Settings; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'staff-inbox-swift-'))
  mkdirSync(join(folder, 'disks', 'one'), { recursive: true })
  const processes: ChildProcess[] = []
  const start = (name: string, port: number, sections: string) => {
    const file = join(folder, `${name}.conf`)
    const common = `bind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = root\nswift_dir = ${folder}\nlog_level = ERROR`
    writeFileSync(file, `[DEFAULT]\n${common}\ndevices = ${folder}/disks\nmount_check = false\n${sections}`)
    processes.push(spawn(`/usr/bin/swift-${name}-server`, [file], { stdio: 'ignore' }))
  }
  for (const name of servers) {
    const port = await freePort()
    const ring = join(folder, `${name}.builder`)
    for (const change of [['create', '4', '1', '0'], ['add', `r1z1-127.0.0.1:${port}/one`, '1'], ['rebalance']]) {
      execFileSync('swift-ring-builder', [ring, ...change], { stdio: 'ignore' })
    }
    start(name, port, `[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`)
  }
  const port = await freePort()
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'inbox-files',
    region: 'us-east-1',
    accessKeyId: 'test:tester',
    secretAccessKey: 'testing',
  }
  const filters = `[filter:tempauth]\nuse = egg:swift#tempauth\nuser_test_tester = testing .admin\n[filter:s3api]\nuse = egg:swift#s3api\ns3_acl = false\n[filter:catch_errors]\nuse = egg:swift#catch_errors\n[filter:healthcheck]\nuse = egg:swift#healthcheck\n[filter:cache]\nuse = egg:swift#memcache\n[filter:listing_formats]\nuse = egg:swift#listing_formats\n`
  start(
    'proxy',
    port,
    `[pipeline:main]\npipeline = catch_errors healthcheck cache listing_formats s3api tempauth proxy-server\n[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n${filters}`,
  )
  const isReady = () =>
    fetch(`${settings.endpoint}/healthcheck`).then(
      (response) => response.ok,
      () => false,
    )
  while (!(await isReady())) {
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
