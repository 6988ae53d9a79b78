// Typesets the formulas of a page; the library is fetched only where there is one.
const typeset = async (formulas) => {
  const root = new URL(".", document.querySelector('script[src$="formulas.js"]').src);
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: new URL("katex.min.js", root), onload: resolve, onerror: reject });
    document.head.append(script);
  });
  for (const formula of formulas) {
    // Browsers lay MathML out themselves, with fonts that they have.
    window.katex.render(formula.textContent, formula, { displayMode: true, output: "mathml" });
  }
};

const formulas = document.querySelectorAll(".formula");
if (formulas.length > 0) typeset(formulas);
