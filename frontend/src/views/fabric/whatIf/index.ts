export { WhatIf } from "./WhatIf";
