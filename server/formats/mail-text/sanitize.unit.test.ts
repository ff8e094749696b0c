import { describe, expect, it } from 'vitest'
import { sanitizeMailHtml } from './sanitize.ts'

const clean = (html: string) => sanitizeMailHtml(html).html

/** What may never be in the output, whatever went in. */
const FORBIDDEN =
  /<\s*\/?\s*(?:script|style|iframe|object|embed|svg|math|form|input|button|textarea|select|meta|base|link|template|noscript|video|audio|body|html|head|title|xmp|frame|applet|marquee|canvas)|\son\w+\s*=|(?:href|src|action|style)\s*=\s*"[^"]*(?:javascript|vbscript|data:text)|expression\(|@import|-moz-binding|behavior\s*:|\s(?:id|name|class|srcset|formaction|ping|srcdoc|xlink:href|contenteditable)\s*=|position\s*:/i

describe('hostile mail', () => {
  it.each([
    '<script>alert(1)</script>',
    '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<img src=x onerror=alert(1)>',
    '<img src="x" onerror  =  "alert(1)">',
    '<img/src=x/onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<svg><animate onbegin=alert(1)>',
    '<svg><a xlink:href="javascript:alert(1)">x</a></svg>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<template><script>alert(1)</script></template>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" java\nscript:alert(1)">x</a>',
    '<a href="java&#x09;script:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href="\x01javascript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="data:text/html,x"></object>',
    '<embed src="//evil.example">',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<link rel="stylesheet" href="https://evil.example/x.css">',
    '<style>@import "https://evil.example";</style>',
    '<style>body{background:url(https://evil.example)}</style>',
    '<form action="https://evil.example"><input name=password><button formaction=javascript:alert(1)>go</button></form>',
    '<textarea><img src=x onerror=alert(1)></textarea>',
    '<select><option><script>alert(1)</script></select>',
    '<title><img src=x onerror=alert(1)></title>',
    '<xmp><img src=x onerror=alert(1)></xmp>',
    '<div style="background:url(javascript:alert(1))">x</div>',
    '<div style="width:expression(alert(1))">x</div>',
    '<div style="position:fixed;top:0;left:0;width:100%;height:100%;z-index:9999">x</div>',
    '<div style="-moz-binding:url(https://evil.example/x)">x</div>',
    '<div style="behavior:url(x.htc)">x</div>',
    '<div style="color:red;}</style><script>alert(1)</script>">x</div>',
    '<div style="background:\\75rl(https://evil.example)">x</div>',
    '<div style="background:u/**/rl(https://evil.example)">x</div>',
    '<div style="background-image:image-set(\'https://evil.example\' 1x)">x</div>',
    '<p style="color: red; background: url(&quot;data:text/html,x&quot;)">x</p>',
    '<div id="cookie" name="body" class="toolbar">x</div>',
    '<a name="getElementById" id="location">x</a>',
    '<img name="body" src="cid:x">',
    '<img srcset="https://evil.example/x 1x">',
    '<body onload=alert(1) background="javascript:alert(1)">x',
    '<table background="javascript:alert(1)"><tr><td>x',
    '<video src=x onerror=alert(1)><source onerror=alert(1)></video>',
    '<audio src=x onerror=alert(1)>',
    '<marquee onstart=alert(1)>x</marquee>',
    '<details open ontoggle=alert(1)>x',
    '<div contenteditable onfocus=alert(1) autofocus>x</div>',
    '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
    '<![CDATA[<script>alert(1)</script>]]>',
    '<?xml version="1.0"?><script>alert(1)</script>',
    '<p title="</p><script>alert(1)</script>">x',
    '"><script>alert(1)</script>',
    '<a href="https://x.example" ping="https://evil.example" onclick=alert(1)>x</a>',
    '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
    '<img src="data:text/html;base64,PHNjcmlwdD4=">',
    '<input type=image src=https://evil.example onerror=alert(1)>',
    '<portal src="https://evil.example">',
    '<frameset><frame src="javascript:alert(1)"></frameset>',
    '<isindex action="javascript:alert(1)" type=image>',
  ])('%s', (html) => {
    const { html: safe } = sanitizeMailHtml(html)
    // Inside quotes and text the words are harmless: only tags and their attributes count.
    expect(safe.replace(/(?:title|alt)="[^"]*"/g, '').replace(/>[^<]*</g, '><')).not.toMatch(FORBIDDEN)
    expect(clean(safe)).toBe(safe)
  })

  it('loads nothing from elsewhere, and says how much there was', () => {
    const { html, remote } = sanitizeMailHtml(
      '<img src="https://t.example/1.gif"><img src="//t.example/2.gif"><img src=" ht\ttps://t.example/3.gif"><td background="http://t.example/4.png">x</td><div style="background:url(\'https://t.example/5.png\')">x</div><img srcset="https://t.example/6.gif 2x"><link href="https://t.example/7.css">',
    )
    expect(remote).toBe(5)
    expect(html).not.toMatch(/\s(?:src|srcset|background)=|url\(/)
    expect(html).toContain('data-remote-src="https://t.example/1.gif"')
    expect(html).toContain('data-remote-background="https://t.example/5.png"')
  })

  it('cannot plant our own marks', () => {
    expect(clean('<img data-remote-src="javascript:alert(1)"><p data-remote-background="x">y</p>')).toBe(
      '<img /><p>y</p>',
    )
  })
})

describe('honest mail', () => {
  it('keeps its looks', () => {
    const html =
      '<h1 style="color: #336699; font-family: Arial, sans-serif">Hi</h1><table width="600" cellpadding="0" bgcolor="#ffffff"><tr><td align="center" style="padding: 10px 5px">A <b>bold</b> <font size="2" color="red">word</font></td></tr></table><ul><li>one</li></ul>'
    expect(clean(html)).toBe(html)
  })

  it('opens links elsewhere, without a trace of us', () => {
    expect(clean('<a href="https://example.com/a?b=1&amp;c=2">x</a>')).toBe(
      '<a href="https://example.com/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">x</a>',
    )
    expect(clean('<a href="mailto:a@example.com">x</a><a href="tel:+4930123">y</a>')).toContain(
      'href="mailto:a@example.com"',
    )
    expect(clean('<a href="#top">x</a><a href="/admin">y</a>')).toBe('<a>x</a><a>y</a>')
    expect(clean('<a href="https://bank.example@evil.example/">x</a>')).toContain(
      'href="https://evil.example/"',
    )
  })

  it('shows pictures of the mail itself', () => {
    const cid = (id: string) => (id === 'pic@x' ? '/parts/1' : null)
    expect(
      sanitizeMailHtml('<img src="cid:pic@x" alt="A"><img src="cid:pic%40x"><img src="cid:other">', { cid }),
    ).toEqual({
      html: '<img alt="A" src="/parts/1" /><img src="/parts/1" /><img />',
      remote: 0,
      isWhole: true,
    })
    expect(clean('<img src="data:image/png;base64,iVBORw0KGgo=">')).toContain(
      'src="data:image/png;base64,iVBORw0KGgo="',
    )
    expect(clean(`<img src="data:image/png;base64,${'A'.repeat(600_000)}">`)).toBe('<img />')
  })

  it('shows pictures of others when the user asks', () => {
    const { html, remote } = sanitizeMailHtml(
      '<img src="https://t.example/1.gif"><p style="background-image: url(https://t.example/2.gif)">x</p>',
      { allowRemote: true },
    )
    expect(html).toBe(
      '<img src="https://t.example/1.gif" /><p style="background-image: url(&quot;https://t.example/2.gif&quot;)">x</p>',
    )
    expect(remote).toBe(2)
  })
})
