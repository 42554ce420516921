// Kernels with matrix products: their hover and their map, and the code object that they came from.
import { eventually, hovered } from "../editor.mjs";

export async function products(stage) {
    const { page, step } = stage;
    const product = "v_mfma_f32_16x16x32_fp8_bf8 v[16:19]";
    // A frame may be gone before it is read.
    const read = (frame) =>
        frame
            .locator("body")
            .innerText({ timeout: 1_000 })
            .catch(() => "");
    const pages = () => Promise.all(page.frames().map(read));
    let kernel;

    await step("the hover of a matrix product says its size, its clocks and its places", async () => {
        kernel = await stage.open("products.gcn");
        const word = kernel.word(product, "v_mfma_f32_16x16x32_fp8_bf8");
        await hovered(page, "its page", word, (texts) => {
            const text = texts.join();
            return ["M = 16, N = 16, K = 32", "4 passes (16 clocks)", "lanes 16–31"].every((it) => text.includes(it));
        });
        await stage.picture("product-hover");
        await page.keyboard.press("Escape");
    });

    await step("the map of the product at the cursor is a page beside it", async () => {
        await kernel.clickLine(product);
        await stage.runCommand("Tungsten: Show Matrix Layout");
        const tabs = () => page.locator(".tab").evaluateAll((all) => all.map((tab) => tab.dataset.resourceName));
        await eventually("its tab", tabs, (names) => names.some((name) => name?.endsWith("layout.md")));
        await eventually("its tables", pages, (texts) =>
            ["D = A × B + C", "A[i][k] in v[12:13]", "D[i][j] in v[16:19]", "lane 63"].every((it) =>
                texts.join().includes(it),
            ),
        );
        await stage.picture("product-layout");
    });

    await step("a code object of such a kernel has its costs, its chip and its hovers", async () => {
        await stage.pickFile("products.co");
        const listing = stage.editor("products.co.gcn");
        await eventually(
            "its text",
            () => listing.text(),
            (text) => text.includes("v_mfma_f32_16x16x32_fp8_bf8"),
        );
        await eventually(
            "its figures",
            () => listing.root.locator(".codelens-decoration").allInnerTexts(),
            (texts) => texts.join().includes("gfx942: 28 VGPRs, 4 AGPRs, 32 together"),
        );
        await eventually(
            "its chip",
            () => stage.statusItem("tungsten.status").innerText(),
            (text) => text.includes("gfx942"),
        );
        await hovered(page, "a hover", listing.word("v_smfmac_f32_16x16x64_bf8_fp8", "v_smfmac"), (texts) =>
            texts.join().includes("indexes in v24"),
        );
        await stage.picture("product-object");
        await stage.closeEditor();
    });
}
