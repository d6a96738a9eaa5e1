/** The style of the page. Colours are chosen for a contrast of at least 4.5 to 1 in both schemes. */
export const STYLE = `
:root{color-scheme:light dark;--page:#fff;--text:#1a1a1a;--soft:#555;--line:#ccc;--panel:#f5f5f3;
--BLOCK:#b3261e;--UNKNOWN:#7b3ba8;--WARN:#8a5300;--ALLOW:#1c6b35;--mark:#ffe08a;--focus:#0b57d0}
@media (prefers-color-scheme:dark){:root{--page:#161616;--text:#eee;--soft:#b5b5b5;--line:#444;--panel:#222;
--BLOCK:#ff8a80;--UNKNOWN:#d3a4f5;--WARN:#ffc266;--ALLOW:#7fd99a;--mark:#6b5300;--focus:#8ab4f8}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.45 system-ui,sans-serif}
main,header,footer{max-width:1400px;margin:0 auto;padding:0 20px}
h1{font-size:1.5rem;margin:20px 0 4px}
h2{font-size:1.15rem;margin:32px 0 8px}
a{color:var(--focus)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.skip{position:absolute;left:-999px}
.skip:focus{left:8px;top:8px;background:var(--page);padding:6px 10px}
.soft{color:var(--soft)}
.cards{display:flex;flex-wrap:wrap;gap:12px;list-style:none;padding:0;margin:16px 0}
.cards li{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:8px 16px;min-width:120px}
.cards strong{display:block;font-size:1.5rem;font-variant-numeric:tabular-nums}
.BLOCK{color:var(--BLOCK)}.UNKNOWN{color:var(--UNKNOWN)}.WARN{color:var(--WARN)}.ALLOW{color:var(--ALLOW)}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,480px),1fr));gap:16px}
figure{margin:0;background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:12px}
figcaption{font-weight:600;margin-bottom:8px}
svg{width:100%;height:auto;display:block}
svg text{fill:var(--text);font:12px system-ui,sans-serif}
svg .f-BLOCK{fill:var(--BLOCK)}svg .f-UNKNOWN{fill:var(--UNKNOWN)}svg .f-WARN{fill:var(--WARN)}
svg .f-ALLOW{fill:var(--ALLOW)}svg .f-plain{fill:var(--focus)}
.scroll{overflow-x:auto;margin:8px 0 16px}
table{border-collapse:collapse;width:100%}
caption{text-align:left;font-weight:600;padding:4px 0}
th,td{border-bottom:1px solid var(--line);padding:5px 8px;text-align:left;vertical-align:top}
thead th{background:var(--panel);position:sticky;top:0}
tbody th{font-weight:400}
.n{text-align:right;font-variant-numeric:tabular-nums}
code,pre,.mono{font:12.5px/1.35 ui-monospace,Menlo,Consolas,monospace}
code,.mono{overflow-wrap:anywhere}
th code{overflow-wrap:normal}
pre{margin:4px 0;overflow-x:auto}
mark{background:var(--mark);color:inherit}
ul.plain{list-style:none;margin:0;padding:0}
.filters{display:flex;flex-wrap:wrap;gap:12px;align-items:end;margin:8px 0;padding:12px;border:1px solid var(--line);
border-radius:6px;background:var(--panel)}
.filters label{display:flex;flex-direction:column;gap:2px;font-size:.85rem}
input,select,button{font:inherit;color:inherit;background:var(--page);border:1px solid var(--soft);border-radius:4px;padding:4px 6px}
[hidden]{display:none!important}
.sign{display:grid;grid-template-columns:repeat(3,1fr);gap:24px;margin-top:40px}
.sign span{border-top:1px solid var(--text);padding-top:4px}
@media print{:root{--page:#fff;--text:#000;--soft:#333;--panel:#fff;--BLOCK:#b3261e;--UNKNOWN:#7b3ba8;--WARN:#8a5300;
--ALLOW:#1c6b35;--mark:#ffe08a;--line:#999}.filters,.skip,nav{display:none}body{font-size:10pt}
.scroll{overflow:visible}thead{display:table-header-group}thead th{position:static}tr,figure{break-inside:avoid}pre{white-space:pre-wrap}
mark{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;
