import { describe, expect, it } from 'vitest'
import { isOnThisMachine, readConfig } from './config.ts'

describe('readConfig', () => {
  it('needs no settings: it listens on loopback and allows private mail servers', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      port: 8000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:8000',
      model: null,
    })
    expect(config.mail.allowPrivateHosts).toBe(true)
  })

  it('does not let users dial private hosts once it listens on a public address', () => {
    expect(readConfig({ HOST: '0.0.0.0' }).mail.allowPrivateHosts).toBe(false)
  })

  it.each([
    [{}, true],
    [{ HOST: 'localhost', PUBLIC_URL: 'http://127.0.0.1:8000' }, true],
    [{ HOST: '::1', PUBLIC_URL: 'http://[::1]:8000' }, true],
    // As in operations.md: a proxy stands in front of the loopback address.
    [{ HOST: '127.0.0.1', PUBLIC_URL: 'https://howl.muster.example' }, false],
    [{ HOST: '127.0.0.1', PUBLIC_URL: 'http://192.168.1.5:8000' }, false],
    [{ HOST: '127.0.0.1', PUBLIC_URL: 'https://localhost.muster.example' }, false],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:8000' }, false],
    [{ HOST: '192.168.1.5' }, false],
    [{ PUBLIC_URL: 'https://howl.muster.example', ALLOW_PRIVATE_MAIL_HOSTS: 'on' }, true],
    [{ ALLOW_PRIVATE_MAIL_HOSTS: 'off' }, false],
  ])('with %o users may name private mail servers: %s', (environment, allowed) => {
    expect(readConfig(environment).mail.allowPrivateHosts).toBe(allowed)
  })

  it('trusts proxies on this machine and those that are configured', () => {
    expect(readConfig({}).trustedProxies).toEqual(['127.0.0.0/8', '::1'])
    const named = readConfig({ TRUSTED_PROXIES: '10.0.0.7, fd00::/8' })
    expect(named.trustedProxies).toEqual(['127.0.0.0/8', '::1', '10.0.0.7', 'fd00::/8'])
  })

  it('believes what the named mail servers say of senders, and no others', () => {
    expect([...readConfig({}).authservIds]).toEqual([])
    const servers = readConfig({ AUTHSERV_IDS: 'IMAP.example.org=mx.example.org, imap.example.net=in' })
    expect([...servers.authservIds]).toEqual([
      ['imap.example.org', 'mx.example.org'],
      ['imap.example.net', 'in'],
    ])
  })

  it('offers the providers that the operator has registered Howl with, and no others', () => {
    expect(readConfig({}).oauth).toEqual([])
    const { oauth } = readConfig({
      OAUTH_GOOGLE_CLIENT_ID: 'howl',
      OAUTH_GOOGLE_CLIENT_SECRET: 'secret',
      OAUTH_ISSUER: 'https://id.muster.example/realm',
      OAUTH_CLIENT_ID: 'howl',
      OAUTH_CLIENT_SECRET: 'secret',
      OAUTH_IMAP_URL: 'imaps://mail.muster.example',
      OAUTH_SMTP_URL: 'smtp://mail.muster.example',
    })
    expect(oauth).toMatchObject([
      { id: 'google', name: 'Google', smtp: { host: 'smtp.gmail.com', port: 465 } },
      {
        id: 'other',
        name: 'id.muster.example',
        scopes: ['openid', 'email', 'offline_access'],
        smtp: { host: 'mail.muster.example', port: 587, useTls: true },
        imap: { host: 'mail.muster.example', port: 993, useTls: true },
      },
    ])
  })

  it('names every fault in one message', () => {
    const wrong = () =>
      readConfig({ PORT: 'http', LOG_LEVEL: 'loud', SECRET_KEY: 'short', DATABASE_URL: 'mysql://x' })
    for (const name of ['PORT', 'LOG_LEVEL', 'SECRET_KEY', 'DATABASE_URL']) expect(wrong).toThrow(name)
  })

  it.each([
    [{ CLOCK_OFFSET: '60', HOST: '0.0.0.0' }, 'CLOCK_OFFSET'],
    [{ AI_BASE_URL: 'http://localhost:11434/v1' }, 'AI_MODEL'],
    [{ AI_PORTS: '8443;22' }, 'AI_PORTS: must be port numbers'],
    [{ AI_PRICES: 'cheap' }, 'AI_PRICES: must be JSON such as {"gpt-4o-mini"'],
    [{ AI_PRICES: '[1]' }, 'AI_PRICES: must be a JSON object'],
    [{ AI_PRICES: '{"small": 2}' }, 'AI_PRICES: "small" needs "input" and "output"'],
    [{ AI_PRICES: '{"small": {"input": -1, "output": 2}}' }, 'a number from 0 to 100000'],
    [{ AI_PRICES: '{"small": {"input": 1, "output": "2"}}' }, '"small" needs'],
    [{ AI_PRICES: '{"small": {"input": 1, "output": 2, "per": 3}}' }, '"small" needs'],
    [
      { AI_PRICES: '{"a": {"input": 1, "output": 2}, "A": {"input": 1, "output": 2}}' },
      'AI_PRICES: names "A" twice',
    ],
    [{ AI_DAILY_CAP: '0' }, 'AI_DAILY_CAP'],
    [{ AI_DAILY_CAP_TOTAL: 'many' }, 'AI_DAILY_CAP_TOTAL'],
    [{ ADMIN_EMAIL: 'a@b.example' }, 'ADMIN_PASSWORD'],
    [{ BLOBS_URL: 's3://bucket' }, 'BLOBS_URL'],
    [{ OAUTH_MICROSOFT_CLIENT_ID: 'howl' }, 'OAUTH_MICROSOFT_CLIENT_SECRET: needed'],
    [{ OAUTH_GOOGLE_CLIENT_SECRET: 'howl' }, 'OAUTH_GOOGLE_CLIENT_ID: needed'],
    [
      { OAUTH_ISSUER: 'https://id.muster.example' },
      'OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET: needed with OAUTH_ISSUER',
    ],
    [
      { OAUTH_ISSUER: 'http://id.muster.example', OAUTH_CLIENT_ID: 'howl', OAUTH_CLIENT_SECRET: 'howl' },
      'OAUTH_ISSUER: must begin with https://',
    ],
    [{ OAUTH_NAME: 'Muster' }, 'OAUTH_NAME: only with OAUTH_ISSUER'],
    [{ AUTHSERV_IDS: 'mx.example.org' }, 'AUTHSERV_IDS'],
    [{ AUTHSERV_IDS: 'imap.example.org=mx.example.org;' }, 'AUTHSERV_IDS'],
    [{ TRUSTED_PROXIES: 'proxy.example' }, 'TRUSTED_PROXIES'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
    [{ TRUSTED_PROXIES: '10.0.0.1, ' }, 'TRUSTED_PROXIES'],
  ])('refuses %o', (environment, name) => {
    expect(() => readConfig(environment)).toThrow(name)
  })

  it.each([
    'postgres://howl:pa/ss@db.example/howl',
    'postgres://howl:pa#ss@db.example/howl',
    'postgres://howl:pa?ss@db.example/howl',
    'postgres://howl:pa%ss@db.example/howl',
    // Each is a URL of another host, with a part of the password for its port or its database.
    'postgres://howl:12/ss@db.example/howl',
    'postgres://howl:12#ss@db.example/howl',
    'postgres://howl:12?ss@db.example/howl',
    'postgres://howl:p@ss/x@db.example/howl',
    'postgres://howl:p@ss#x@db.example/howl',
  ])('says how to write the password of %s, and does not show it', (DATABASE_URL) => {
    const sentence = 'in the user name and the password, write @ as %40, / as %2F, # as %23, ? as %3F'
    expect(() => readConfig({ DATABASE_URL })).toThrow(sentence)
    expect(() => readConfig({ DATABASE_URL })).not.toThrow(/ss[@/]|db\.example/)
    const smtp = { SYSTEM_SMTP_URL: DATABASE_URL.replace('postgres:', 'smtps:').replace(/.howl$/, '') }
    expect(() => readConfig(smtp)).toThrow(sentence)
  })

  it.each([
    'postgres://howl:p@ss@db.example/howl',
    'postgres://howl:p%40ss%2F%23%3F%25@db.example:5433/howl?sslmode=require',
    'postgresql://db.example/howl?user=ada@muster&password=a',
    'postgres:///howl?host=/run/postgresql',
    'postgres://howl@%2Frun%2Fpostgresql/howl',
  ])('takes %s', (DATABASE_URL) => {
    expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
  })

  it.each([`"`, `'`])('names every setting that came with %s around it', (mark) => {
    const quoted = (text: string) => `${mark}${text}${mark}`
    const given = {
      PORT: quoted('8000'),
      DATABASE_URL: quoted('postgres://howl:secret@db.example/howl'),
      SECRET_KEY: quoted('a secret key that only the tests know of'),
      RATE_LIMITS: quoted('off'),
    }
    const lines = Object.keys(given).map(
      (name) => `  ${name}: has quotation marks around its value: remove them, they are taken as part of it`,
    )
    expect(() => readConfig(given)).toThrow(
      new Error(['Howl cannot start, the settings are wrong:', ...lines].join('\n')),
    )
  })

  it.each([
    'https://muster.example/howl',
    'https://muster.example/?page=1',
    'https://ada@muster.example',
    'https://muster.example/#top',
  ])('refuses %s as the address that people use', (PUBLIC_URL) => {
    expect(() => readConfig({ PUBLIC_URL })).toThrow('PUBLIC_URL: must end after the host and its port')
  })

  it('takes a slash at the end of PUBLIC_URL', () => {
    expect(readConfig({ PUBLIC_URL: 'https://muster.example:8443/' }).publicUrl).toBe(
      'https://muster.example:8443',
    )
  })

  it.each([
    [{}, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '::' }, true],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://howl.muster.example' }, false],
  ])('tells for %o whether others can open the links in mails', (environment, isOurs) => {
    expect(isOnThisMachine(readConfig(environment).publicUrl)).toBe(isOurs)
  })

  it.each([
    [{}, true, [443]],
    [{ HOST: '0.0.0.0' }, false, [443]],
    [{ PUBLIC_URL: 'https://howl.muster.example' }, false, [443]],
    // Private mail servers do not open the network to models.
    [{ PUBLIC_URL: 'https://howl.muster.example', ALLOW_PRIVATE_MAIL_HOSTS: 'on' }, false, [443]],
    [
      { AI_BASE_URL: 'http://gpu.lan:8000/v1', AI_MODEL: 'm', AI_PORTS: '8443, 9443' },
      true,
      [443, 8000, 8443, 9443],
    ],
  ])('tells for %o where users’ own models may be', (environment, isLocal, ports) => {
    const { ownModels } = readConfig({ PORT: '8080', ...environment })
    expect(ownModels.allowPrivateHosts).toBe(isLocal)
    expect([...ownModels.ports]).toEqual(ports)
    // Port 8080 is Howl's own here.
    expect(ownModels.beside.map(({ name }) => name)).toEqual(isLocal ? ['Ollama', 'LM Studio'] : [])
  })

  it('reads who administers Howl, and the access codes', () => {
    const given = { ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'long enough' }
    expect(readConfig({ ...given, ADMIN_ACCESS_CODES: 'full moon, grey wolf' })).toMatchObject({
      administrator: { email: 'a@b.example', password: 'long enough' },
      accessCodes: ['full moon', 'grey wolf'],
    })
    expect(readConfig({})).toMatchObject({ administrator: null, accessCodes: null })
  })
})
