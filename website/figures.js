// Draws the Plotly figures of a page; the library is fetched only where there is one.
const draw = async (places) => {
  const root = new URL(".", document.querySelector('script[src$="figures.js"]').src);
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: new URL("plotly.min.js", root), onload: resolve, onerror: reject });
    document.head.append(script);
  });
  for (const place of places) {
    const { data, layout } = JSON.parse(place.querySelector("script").textContent);
    window.Plotly.newPlot(place, data, { ...layout, autosize: true }, { responsive: true, displaylogo: false });
  }
};

const places = document.querySelectorAll(".figure");
if (places.length > 0) draw(places);
