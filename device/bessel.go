package device

import "math"

// Bessel's functions of orders 0 and 1. Up to 7 or 8 they are pieces, each a polynomial, or a
// polynomial times the distance from the one zero in it, which is kept to 100 bits; so they are
// precise next to the zeros too. Beyond, they are sqrt(2/(pi x)) (P cos(y) - Q sin(y)), and with Y
// P sin(y) + Q cos(y), for y = x - pi/4 or x - 3pi/4, where P and Q are polynomials of 1/x^2 (DLMF
// 10.17). There an error is one of some 2^-53 of the amplitude, not of the value. All polynomials
// are Chebyshev interpolations in 32 digits; an n in a name counts pieces.

// j0Piece1 is J0(x) with z = x^2 up to 1.5^2.
func j0Piece1(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(0x1.5206f7d0fdfbfp-47, zz, 0x1.02e85b73a6962p-31)
	p = math.FMA(p, zz, 0x1.c71c71c719abcp-18)
	p = math.FMA(p, zz, 0x1p-6)
	p = math.FMA(p, zz, 0x1p+0)
	q := math.FMA(-0x1.03c6e88fe8cf5p-55, zz, -0x1.5229e6bb0595fp-39)
	q = math.FMA(q, zz, -0x1.234567888520fp-24)
	q = math.FMA(q, zz, -0x1.c71c71c71c6dfp-12)
	q = math.FMA(q, zz, -0x1p-2)
	return math.FMA(q, z, p)
}

// j0Piece2 is J0(x)/d, d being the distance from the zero near 2.4, for x from 1.5 to 4.
func j0Piece2(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(-0x1.c338cce18740dp-52, dd, 0x1.f72986b3f40dbp-44)
	p = math.FMA(p, dd, -0x1.bdc48bf8c8266p-36)
	p = math.FMA(p, dd, 0x1.2951bd5918132p-28)
	p = math.FMA(p, dd, -0x1.1cce302828732p-21)
	p = math.FMA(p, dd, 0x1.6ed3b9f07eb0ep-15)
	p = math.FMA(p, dd, -0x1.1f992590d12bdp-9)
	p = math.FMA(p, dd, 0x1.cfae864368d7p-5)
	p = math.FMA(p, dd, -0x1.09cdb3655128p-1)
	q := math.FMA(0x1.cf67d3c85f5eep-56, dd, -0x1.d299ebf640437p-48)
	q = math.FMA(q, dd, 0x1.cd40f94432a46p-40)
	q = math.FMA(q, dd, -0x1.5c2c36b70c3f4p-32)
	q = math.FMA(q, dd, 0x1.7ff991638e694p-25)
	q = math.FMA(q, dd, -0x1.232c77d2261fcp-18)
	q = math.FMA(q, dd, 0x1.15382ba06cc26p-12)
	q = math.FMA(q, dd, -0x1.1bb1cbe1a4071p-7)
	q = math.FMA(q, dd, 0x1.ba1deea029494p-4)
	return math.FMA(q, d, p)
}

// j0Piece3 is J0(x)/d, d being the distance from the zero near 5.5, for x from 4 to 7.
func j0Piece3(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(-0x1.485be516e5263p-60, dd, 0x1.de40f112f5db1p-52)
	p = math.FMA(p, dd, -0x1.104746a167b6bp-43)
	p = math.FMA(p, dd, 0x1.e2f337f41cc37p-36)
	p = math.FMA(p, dd, -0x1.41d72d92ee8d1p-28)
	p = math.FMA(p, dd, 0x1.32e6d99c6a323p-21)
	p = math.FMA(p, dd, -0x1.863f481a43025p-15)
	p = math.FMA(p, dd, 0x1.27e31fe9a9779p-9)
	p = math.FMA(p, dd, -0x1.b2150cb41e8c1p-5)
	p = math.FMA(p, dd, 0x1.5c6e60a097823p-2)
	q := math.FMA(0x1.9428292b41365p-65, dd, -0x1.446b79adb0341p-56)
	q = math.FMA(q, dd, 0x1.91198155dc3d2p-48)
	q = math.FMA(q, dd, -0x1.8498fd9ed4cd5p-40)
	q = math.FMA(q, dd, 0x1.1d0433d6b1a8fp-32)
	q = math.FMA(q, dd, -0x1.2da37e383eb04p-25)
	q = math.FMA(q, dd, 0x1.ad77d748a064fp-19)
	q = math.FMA(q, dd, -0x1.6f641f41956f7p-13)
	q = math.FMA(q, dd, 0x1.2f7ffe90256bbp-8)
	q = math.FMA(q, dd, -0x1.f8f72e7a848ep-6)
	return math.FMA(q, d, p)
}

// j1Piece1 is J1(x)/x with z = x^2 up to 2^2.
func j1Piece1(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(0x1.dd2542836808ap-69, zz, 0x1.2c96585d0ba19p-51)
	p = math.FMA(p, zz, 0x1.27e4fb7069147p-35)
	p = math.FMA(p, zz, 0x1.6c16c16c169fep-21)
	p = math.FMA(p, zz, 0x1.5555555555555p-9)
	p = math.FMA(p, zz, 0x1p-1)
	q := math.FMA(-0x1.ab220bd75d0a6p-60, zz, -0x1.522a40a0ff882p-43)
	q = math.FMA(q, zz, -0x1.845c8a0cd17c6p-28)
	q = math.FMA(q, zz, -0x1.c71c71c71c718p-15)
	q = math.FMA(q, zz, -0x1p-4)
	return math.FMA(q, z, p)
}

// j1Piece2 is J1(x)/d, d being the distance from the zero near 3.8, for x from 2 to 5.4.
func j1Piece2(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(0x1.5555f5500bf81p-60, dd, -0x1.ee580aaf15e03p-52)
	p = math.FMA(p, dd, 0x1.17a3db068b874p-43)
	p = math.FMA(p, dd, -0x1.ec62307b7e424p-36)
	p = math.FMA(p, dd, 0x1.4569b22a81c73p-28)
	p = math.FMA(p, dd, -0x1.33825cd2e24a5p-21)
	p = math.FMA(p, dd, 0x1.83a06e30c4102p-15)
	p = math.FMA(p, dd, -0x1.24b3409959064p-9)
	p = math.FMA(p, dd, 0x1.b589d1da13905p-5)
	p = math.FMA(p, dd, -0x1.9c6cf582cbf7fp-2)
	q := math.FMA(-0x1.2a78e0d8ab23cp-65, dd, 0x1.204316ac355c6p-56)
	q = math.FMA(q, dd, -0x1.67c29556db839p-48)
	q = math.FMA(q, dd, 0x1.5ec836c7fa4bbp-40)
	q = math.FMA(q, dd, -0x1.03b9e93e40865p-32)
	q = math.FMA(q, dd, 0x1.170692339b1dp-25)
	q = math.FMA(q, dd, -0x1.9799d4c9f19b9p-19)
	q = math.FMA(q, dd, 0x1.6e4c2d5354215p-13)
	q = math.FMA(q, dd, -0x1.537544c331da7p-8)
	q = math.FMA(q, dd, 0x1.ae8a39f51ad04p-5)
	return math.FMA(q, d, p)
}

// j1Piece3 is J1(x)/d, d being the distance from the zero near 7.0, for x from 5.4 to 8.
func j1Piece3(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(-0x1.8a90167fd66c2p-60, dd, 0x1.f02c55eb76397p-52)
	p = math.FMA(p, dd, -0x1.183ee722a1da6p-43)
	p = math.FMA(p, dd, 0x1.ecae921f8ee9fp-36)
	p = math.FMA(p, dd, -0x1.44639d7dd7121p-28)
	p = math.FMA(p, dd, 0x1.3026e0ce96657p-21)
	p = math.FMA(p, dd, -0x1.796a751f89039p-15)
	p = math.FMA(p, dd, 0x1.13fbc7d698217p-9)
	p = math.FMA(p, dd, -0x1.80c83bdeee5bp-5)
	p = math.FMA(p, dd, 0x1.33518b3874e8ap-2)
	q := math.FMA(-0x1.11d43b3ec26b3p-56, dd, 0x1.4af453a4ba684p-48)
	q = math.FMA(q, dd, -0x1.3bb6a63959406p-40)
	q = math.FMA(q, dd, 0x1.c62ccb7ab5bfdp-33)
	q = math.FMA(q, dd, -0x1.d48dcdaebee1ap-26)
	q = math.FMA(q, dd, 0x1.4255b015ae025p-19)
	q = math.FMA(q, dd, -0x1.07358bbdbff92p-13)
	q = math.FMA(q, dd, 0x1.9a4b292e3de42p-9)
	q = math.FMA(q, dd, -0x1.5e70dc60362bfp-6)
	return math.FMA(q, d, p)
}

// y0Piece1 is (Y0(x) - 2/pi (log(x/2) + gamma) J0(x))/z with z = x^2 up to 0.6^2.
func y0Piece1(z float64) float64 {
	p := math.FMA(0x1.15a980abb0b8ep-38, z, -0x1.93d14738b0894p-31)
	p = math.FMA(p, z, 0x1.a765660b6f233p-24)
	p = math.FMA(p, z, -0x1.2dce0fd5935f7p-17)
	p = math.FMA(p, z, 0x1.09969d4b76055p-11)
	p = math.FMA(p, z, -0x1.e8ec8a4aeacc4p-7)
	return math.FMA(p, z, 0x1.45f306dc9c883p-3)
}

// y0Piece2 is Y0(x)/d, d being the distance from the zero near 0.9, for x from 0.6 to 1.3.
func y0Piece2(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(0x1.f1a27607af315p-2, dd, 0x1.5795d0ac1f448p-2)
	p = math.FMA(p, dd, 0x1.1a43f663794a8p-2)
	p = math.FMA(p, dd, 0x1.049674ac8b54cp-2)
	p = math.FMA(p, dd, 0x1.d4cc88c4a0b8cp-3)
	p = math.FMA(p, dd, 0x1.afc5e8b1600bfp-3)
	p = math.FMA(p, dd, 0x1.96de844067702p-3)
	p = math.FMA(p, dd, 0x1.8c08d0c26d61fp-3)
	p = math.FMA(p, dd, 0x1.9424b92f71964p-3)
	p = math.FMA(p, dd, 0x1.c068086c2b8c2p-3)
	p = math.FMA(p, dd, 0x1.c3b1338af3e82p-3)
	p = math.FMA(p, dd, 0x1.c24371844b88ap-1)
	q := math.FMA(-0x1.b351fa807bf38p-3, dd, -0x1.ef7d097d7f14ep-2)
	q = math.FMA(q, dd, -0x1.178392f3b1947p-2)
	q = math.FMA(q, dd, -0x1.14fe26c976a9ap-2)
	q = math.FMA(q, dd, -0x1.ebefa4d7bc72ap-3)
	q = math.FMA(q, dd, -0x1.c0e15e727da22p-3)
	q = math.FMA(q, dd, -0x1.a1b6e2ed3ef0bp-3)
	q = math.FMA(q, dd, -0x1.8f7e32292dff3p-3)
	q = math.FMA(q, dd, -0x1.8d35b488555a6p-3)
	q = math.FMA(q, dd, -0x1.a396a8058b61bp-3)
	q = math.FMA(q, dd, -0x1.cf18e6a4b3a09p-3)
	q = math.FMA(q, dd, -0x1.f7e38a46d7102p-2)
	return math.FMA(q, d, p)
}

// y0Piece3 is Y0(x) with d = x - 1.8, for x from 1.3 to 2.3.
func y0Piece3(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(-0x1.85f4eb8c994fap-22, dd, -0x1.ba9fa52ffcc2fp-21)
	p = math.FMA(p, dd, -0x1.b76f90673c35fp-19)
	p = math.FMA(p, dd, -0x1.92ccf75b20188p-17)
	p = math.FMA(p, dd, -0x1.7b365d0dd6d7cp-15)
	p = math.FMA(p, dd, -0x1.6e1679375a518p-13)
	p = math.FMA(p, dd, -0x1.69e30d20f0437p-11)
	p = math.FMA(p, dd, -0x1.b64c0f3f13235p-9)
	p = math.FMA(p, dd, 0x1.25ad6c007ee2bp-9)
	p = math.FMA(p, dd, -0x1.3410b559e29bbp-2)
	p = math.FMA(p, dd, 0x1.e8e3dc0648702p-2)
	q := math.FMA(0x1.7096b26c6f7f9p-21, dd, 0x1.a5ddefedcb9acp-20)
	q = math.FMA(q, dd, 0x1.a55185038a2bbp-18)
	q = math.FMA(q, dd, 0x1.85b4135833756p-16)
	q = math.FMA(q, dd, 0x1.732f3bab07aa1p-14)
	q = math.FMA(q, dd, 0x1.6bbfc6692e5ebp-12)
	q = math.FMA(q, dd, 0x1.750e6abc498b2p-10)
	q = math.FMA(q, dd, 0x1.804d7df61d36bp-8)
	q = math.FMA(q, dd, 0x1.ea8941c11fc4ep-6)
	q = math.FMA(q, dd, 0x1.ca10ce708e008p-3)
	return math.FMA(q, d, p)
}

// y0Piece4 is Y0(x)/d, d being the distance from the zero near 4.0, for x from 2.3 to 5.5.
func y0Piece4(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(0x1.20f89b708a741p-57, dd, -0x1.9cea4415651d7p-55)
	p = math.FMA(p, dd, 0x1.10500a9fb0f7ap-50)
	p = math.FMA(p, dd, 0x1.e79b812fd8e78p-48)
	p = math.FMA(p, dd, 0x1.5112d4c83bf31p-43)
	p = math.FMA(p, dd, 0x1.63414dc7181eep-39)
	p = math.FMA(p, dd, 0x1.88c0aa182060cp-35)
	p = math.FMA(p, dd, 0x1.a5a108dd320ebp-31)
	p = math.FMA(p, dd, 0x1.452ea3fc9b158p-26)
	p = math.FMA(p, dd, -0x1.3b216856667d2p-22)
	p = math.FMA(p, dd, 0x1.ab2c1fece5facp-15)
	p = math.FMA(p, dd, -0x1.1e32bc4ef8a7ep-9)
	p = math.FMA(p, dd, 0x1.df6d59bf50ebdp-5)
	p = math.FMA(p, dd, -0x1.9c34256a12a0cp-2)
	q := math.FMA(-0x1.6e581557607aep-56, dd, -0x1.3cb41287de433p-57)
	q = math.FMA(q, dd, -0x1.717eb59aa03e8p-49)
	q = math.FMA(q, dd, -0x1.2d7e3a1354c9cp-45)
	q = math.FMA(q, dd, -0x1.570902ff1170bp-41)
	q = math.FMA(q, dd, -0x1.750b97c4cf5afp-37)
	q = math.FMA(q, dd, -0x1.9950ce9f9436ep-33)
	q = math.FMA(q, dd, -0x1.f6936f1e53bcfp-29)
	q = math.FMA(q, dd, -0x1.777059d618ecdp-26)
	q = math.FMA(q, dd, -0x1.486371e6444fcp-18)
	q = math.FMA(q, dd, 0x1.9982765165aap-13)
	q = math.FMA(q, dd, -0x1.c116fdc598092p-8)
	q = math.FMA(q, dd, 0x1.a09c9290367efp-5)
	return math.FMA(q, d, p)
}

// y0Piece5 is Y0(x)/d, d being the distance from the zero near 7.1, for x from 5.5 to 8.
func y0Piece5(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(0x1.2cf6e0d823f2cp-63, dd, 0x1.3c37d6fddf292p-60)
	p = math.FMA(p, dd, 0x1.3843e6794f7c6p-51)
	p = math.FMA(p, dd, -0x1.0678c43a9318dp-43)
	p = math.FMA(p, dd, 0x1.f14e53a16e19p-36)
	p = math.FMA(p, dd, -0x1.442a3d3261f7p-28)
	p = math.FMA(p, dd, 0x1.34aa7573ee806p-21)
	p = math.FMA(p, dd, -0x1.8177e4fe5231ep-15)
	p = math.FMA(p, dd, 0x1.1d35e85fde2a3p-9)
	p = math.FMA(p, dd, -0x1.8969c64cbf452p-5)
	p = math.FMA(p, dd, 0x1.334cca0697a5bp-2)
	q := math.FMA(0x1.a3da638a5c8a8p-69, dd, -0x1.32f8c37f6c26cp-55)
	q = math.FMA(q, dd, 0x1.3373bb1f0e88cp-48)
	q = math.FMA(q, dd, -0x1.714c2a3ee5331p-40)
	q = math.FMA(q, dd, 0x1.fa6c50866940ap-33)
	q = math.FMA(q, dd, -0x1.0a2814d7a073ap-25)
	q = math.FMA(q, dd, 0x1.6a9227352f868p-19)
	q = math.FMA(q, dd, -0x1.26dd71e391c8ap-13)
	q = math.FMA(q, dd, 0x1.b2f14a95527cbp-9)
	q = math.FMA(q, dd, -0x1.5aef611fc4d57p-6)
	return math.FMA(q, d, p)
}

// y1Piece1 is (Y1(x) + 2/(pi x) - 2/pi (log(x/2) + gamma) J1(x))/x with z = x^2 up to 1.3^2.
func y1Piece1(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(-0x1.094f39ea4c1f7p-50, zz, -0x1.daf79ae6c9a63p-35)
	p = math.FMA(p, zz, -0x1.fa11067b4e774p-21)
	p = math.FMA(p, zz, -0x1.6a2a7966e6d03p-9)
	p = math.FMA(p, zz, -0x1.45f306dc9c883p-3)
	q := math.FMA(0x1.8011ced359d53p-59, zz, 0x1.1dd35e9a6cf5ap-42)
	q = math.FMA(q, zz, 0x1.2490d0067a123p-27)
	q = math.FMA(q, zz, 0x1.1bb256909b33fp-14)
	q = math.FMA(q, zz, 0x1.976fc893c3aa3p-5)
	return math.FMA(q, z, p)
}

// y1Piece2 is Y1(x)/d, d being the distance from the zero near 2.2, for x from 1.3 to 3.7.
func y1Piece2(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(0x1.6fa944624e01bp-38, dd, 0x1.24820609a46e8p-32)
	p = math.FMA(p, dd, 0x1.162b8d7b7f346p-30)
	p = math.FMA(p, dd, 0x1.a24a4b8bee374p-29)
	p = math.FMA(p, dd, 0x1.5e8dfa32907b6p-26)
	p = math.FMA(p, dd, 0x1.86d56d2d09fbep-24)
	p = math.FMA(p, dd, 0x1.dc4d9b94eb2eep-22)
	p = math.FMA(p, dd, 0x1.1e73948d5d217p-19)
	p = math.FMA(p, dd, 0x1.5865734bc3b3dp-17)
	p = math.FMA(p, dd, 0x1.9d1757339dc56p-15)
	p = math.FMA(p, dd, 0x1.eea7bb2b9a639p-13)
	p = math.FMA(p, dd, 0x1.17ab4afcb1406p-10)
	p = math.FMA(p, dd, 0x1.e671c7d112c84p-8)
	p = math.FMA(p, dd, -0x1.0d2af4e932341p-5)
	p = math.FMA(p, dd, 0x1.0aa48442f014bp-1)
	q := math.FMA(-0x1.f8982e4e827afp-35, dd, -0x1.6f9c616aee977p-31)
	q = math.FMA(q, dd, -0x1.668b3003f9dd8p-30)
	q = math.FMA(q, dd, -0x1.2cd257863ef5p-27)
	q = math.FMA(q, dd, -0x1.6dbdcf197281dp-25)
	q = math.FMA(q, dd, -0x1.af8d169fa4291p-23)
	q = math.FMA(q, dd, -0x1.054bb9f3db713p-20)
	q = math.FMA(q, dd, -0x1.3a22f9d030f8ep-18)
	q = math.FMA(q, dd, -0x1.7957038dbc306p-16)
	q = math.FMA(q, dd, -0x1.c3fadff9d805p-14)
	q = math.FMA(q, dd, -0x1.0b2d8789d4c8bp-11)
	q = math.FMA(q, dd, -0x1.5429dc5a165a7p-9)
	q = math.FMA(q, dd, -0x1.3a6dec3729b23p-8)
	q = math.FMA(q, dd, -0x1.e56f82217b8fp-4)
	return math.FMA(q, d, p)
}

// y1Piece3 is Y1(x)/d, d being the distance from the zero near 5.4, for x from 3.7 to 7.
func y1Piece3(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(0x1.629da9930a371p-59, dd, 0x1.4542b992c3e8cp-55)
	p = math.FMA(p, dd, 0x1.6b309447a1644p-50)
	p = math.FMA(p, dd, 0x1.3f98da98b5ce6p-45)
	p = math.FMA(p, dd, 0x1.4988365bb2a0ap-40)
	p = math.FMA(p, dd, 0x1.406195fe1e91fp-39)
	p = math.FMA(p, dd, 0x1.80b1ab22623b5p-28)
	p = math.FMA(p, dd, -0x1.255e6cf769981p-21)
	p = math.FMA(p, dd, 0x1.85b940eb60e86p-15)
	p = math.FMA(p, dd, -0x1.1be6db9923ad3p-9)
	p = math.FMA(p, dd, 0x1.a15d92dfe3e27p-5)
	p = math.FMA(p, dd, -0x1.5c7c556f0c19ap-2)
	q := math.FMA(-0x1.947761ed53988p-61, dd, -0x1.be7ed0b38287ap-59)
	q = math.FMA(q, dd, -0x1.25a6b9bec3863p-52)
	q = math.FMA(q, dd, -0x1.d8504ed0480a1p-48)
	q = math.FMA(q, dd, -0x1.c080bb5352876p-43)
	q = math.FMA(q, dd, -0x1.38425859f6807p-38)
	q = math.FMA(q, dd, -0x1.a7ee18c4fdfb1p-32)
	q = math.FMA(q, dd, 0x1.b62cd04eaa156p-26)
	q = math.FMA(q, dd, -0x1.80619147da4acp-19)
	q = math.FMA(q, dd, 0x1.337c7e138f651p-13)
	q = math.FMA(q, dd, -0x1.10a329e2c23fbp-8)
	q = math.FMA(q, dd, 0x1.00b9f8571ca1fp-5)
	return math.FMA(q, d, p)
}

// hankelP0 is P of order 0 with z = 1/x^2, for x >= 7.
func hankelP0(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(0x1.3331c6da7681fp+48, zz, 0x1.0229bed4c6d3fp+42)
	p = math.FMA(p, zz, 0x1.bba7af863fcb5p+32)
	p = math.FMA(p, zz, 0x1.2100e1fade9f6p+22)
	p = math.FMA(p, zz, 0x1.77704c59101f4p+11)
	p = math.FMA(p, zz, 0x1.84b9a96ad4548p+2)
	p = math.FMA(p, zz, 0x1.cb5ffff3f1ee2p-4)
	p = math.FMA(p, zz, 0x1p+0)
	q := math.FMA(-0x1.9d6ce0a74df62p+45, zz, -0x1.915fe29debb5ap+37)
	q = math.FMA(q, zz, -0x1.8026245334b5p+27)
	q = math.FMA(q, zz, -0x1.afc884ef78533p+16)
	q = math.FMA(q, zz, -0x1.b7a75305e024p+6)
	q = math.FMA(q, zz, -0x1.251edf2f55c74p-1)
	q = math.FMA(q, zz, -0x1.1fffffffff2c4p-4)
	return math.FMA(q, z, p)
}

// hankelQ0 is Q of order 0 times x with z = 1/x^2, for x >= 7.
func hankelQ0(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(-0x1.4b781e9d3c6acp+54, zz, -0x1.5db2b9682f608p+46)
	p = math.FMA(p, zz, -0x1.5460a6adbeda4p+36)
	p = math.FMA(p, zz, -0x1.2cf1821a85e11p+25)
	p = math.FMA(p, zz, -0x1.1a78720760822p+14)
	p = math.FMA(p, zz, -0x1.861345838db76p+4)
	p = math.FMA(p, zz, -0x1.d11dffeddcbf2p-3)
	p = math.FMA(p, zz, -0x1p-3)
	q := math.FMA(0x1.d65a6807fdb42p+56, zz, 0x1.b0d505ee2f584p+50)
	q = math.FMA(q, zz, 0x1.8bec455f25643p+41)
	q = math.FMA(q, zz, 0x1.de7c1f9526139p+30)
	q = math.FMA(q, zz, 0x1.7e465aa01eeb9p+19)
	q = math.FMA(q, zz, 0x1.136f2a7782d94p+9)
	q = math.FMA(q, zz, 0x1.ba4c4a5f53a54p+0)
	q = math.FMA(q, zz, 0x1.2bfffffffdd07p-4)
	return math.FMA(q, z, p)
}

// hankelP1 is P of order 1 with z = 1/x^2, for x >= 7.
func hankelP1(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(-0x1.453f1c600ee9cp+48, zz, -0x1.1195ad6dd9b0ep+42)
	p = math.FMA(p, zz, -0x1.d7298f6ba44c5p+32)
	p = math.FMA(p, zz, -0x1.34cc04523d155p+22)
	p = math.FMA(p, zz, -0x1.983aa9f0104bep+11)
	p = math.FMA(p, zz, -0x1.b88e6bebf0751p+2)
	p = math.FMA(p, zz, -0x1.274ffff9a471ep-3)
	p = math.FMA(p, zz, 0x1p+0)
	q := math.FMA(0x1.b5e262619043p+45, zz, 0x1.a9b353f486739p+37)
	q = math.FMA(q, zz, 0x1.98df6c8d05638p+27)
	q = math.FMA(q, zz, 0x1.d072a7fc99f0ap+16)
	q = math.FMA(q, zz, 0x1.e5f442d7248f8p+6)
	q = math.FMA(q, zz, 0x1.5a6a4eb402ffcp-1)
	q = math.FMA(q, zz, 0x1.dfffffffff20bp-4)
	return math.FMA(q, z, p)
}

// hankelQ1 is Q of order 1 times x with z = 1/x^2, for x >= 7.
func hankelQ1(z float64) float64 {
	zz := float64(z * z)
	p := math.FMA(0x1.5d99641648184p+54, zz, 0x1.712697a473d19p+46)
	p = math.FMA(p, zz, 0x1.680bee6b56b92p+36)
	p = math.FMA(p, zz, 0x1.402522ff214afp+25)
	p = math.FMA(p, zz, 0x1.3126f17e477p+14)
	p = math.FMA(p, zz, 0x1.b3f7a5b41c02ap+4)
	p = math.FMA(p, zz, 0x1.1c3cfff67800cp-2)
	p = math.FMA(p, zz, 0x1.8p-2)
	q := math.FMA(-0x1.eff3410ab141dp+56, zz, -0x1.c8abce826f105p+50)
	q = math.FMA(q, zz, -0x1.a246ca01ae69bp+41)
	q = math.FMA(q, zz, -0x1.fb31fb794e59fp+30)
	q = math.FMA(q, zz, -0x1.991cd4df19827p+19)
	q = math.FMA(q, zz, -0x1.2dad31df23af8p+9)
	q = math.FMA(q, zz, -0x1.fe58089a4e08cp+0)
	q = math.FMA(q, zz, -0x1.a3fffffffdb3ep-4)
	return math.FMA(q, z, p)
}

const (
	twoOverPiH = 0x1.45f306dc9c883p-1
	// Euler's gamma - log(2): log(x/2) + gamma is log(x) + that
	eulerLessLn2 = -0x1.dadb014541eb2p-4
	// 1/sqrt(pi)
	inverseRootPi = 0x1.20dd750429b6dp-1
)

// hankelSum returns (u cos(x) + v sin(x)) / sqrt(pi x).
func hankelSum(u, v, x float64) float64 {
	s, c := Sincos(x)
	return float64((float64(u*c) + float64(v*s)) * (inverseRootPi / math.Sqrt(x)))
}

// J0 returns Bessel's function of the first kind of order 0: CUDA's j0. The largest error found is
// 3.69 ulp for
// |x| < 8, where the bound is 7, and 2^-53 beyond, where it is 5e-12.
func J0(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x <= 1.5:
		return j0Piece1(float64(x * x))
	case x <= 4:
		d := (x - 0x1.33d152e971b40p+1) + 0x1.0f539d7da258ep-53
		return float64(d * j0Piece2(d))
	case x <= 7:
		d := (x - 0x1.6148f5b2c2e45p+2) - 0x1.75054cd60a517p-54
		return float64(d * j0Piece3(d))
	case x > math.MaxFloat64:
		return 0
	}
	z := float64(1/x) * float64(1/x)
	p, q := hankelP0(z), hankelQ0(z)/x
	return hankelSum(p+q, p-q, x)
}

// J1 returns Bessel's function of the first kind of order 1: CUDA's j1. The largest error found is
// 2.66 ulp for
// |x| < 8, where the bound is 7, and 2^-53 beyond, where it is 5e-12.
func J1(x float64) float64 {
	a := math.Abs(x)
	var j float64
	switch {
	case a <= 2:
		if a < 0x1p-1000 {
			return float64(0.5 * x)
		}
		return float64(x * j1Piece1(float64(x*x)))
	case a <= 5.4:
		d := (a - 0x1.ea75575af6f09p+1) + 0x1.60155a9d1b256p-53
		j = float64(d * j1Piece2(d))
	case a <= 8:
		d := (a - 0x1.c0ff5f3b47250p+2) + 0x1.b226d9d243827p-54
		j = float64(d * j1Piece3(d))
	case a > math.MaxFloat64:
		j = 0
	default:
		z := float64(1/a) * float64(1/a)
		p, q := hankelP1(z), hankelQ1(z)/a
		j = hankelSum(q-p, p+q, a)
	}
	if x < 0 {
		return -j
	}
	return j
}

// Y0 returns Bessel's function of the second kind of order 0: CUDA's y0. It is negative infinity at
// 0 and NaN for negative x. The largest error found is 2.89 ulp for x < 8, where the bound is 7,
// and 2^-53 beyond, where it is 5e-12.
func Y0(x float64) float64 {
	if !(x > 0) {
		return ySpecial(x)
	}
	switch {
	case x <= 0.6:
		z := float64(x * x)
		l := float64(twoOverPiH * (Log(x) + eulerLessLn2))
		return math.FMA(l, j0Piece1(z), float64(z*y0Piece1(z)))
	case x <= 1.3:
		d := (x - 0x1.c982eb8d417eap-1) - 0x1.ea9d270347f83p-56
		return float64(d * y0Piece2(d))
	case x <= 2.3:
		return y0Piece3(x - 1.8)
	case x <= 5.5:
		d := (x - 0x1.fa9534d98569cp+1) + 0x1.f06ae7804384ep-54
		return float64(d * y0Piece4(d))
	case x <= 8:
		d := (x - 0x1.c581dc4e72103p+2) + 0x1.9774a495f56cfp-54
		return float64(d * y0Piece5(d))
	case x > math.MaxFloat64:
		return 0
	}
	z := float64(1/x) * float64(1/x)
	p, q := hankelP0(z), hankelQ0(z)/x
	return hankelSum(q-p, p+q, x)
}

// Y1 returns Bessel's function of the second kind of order 1: CUDA's y1. It is negative infinity at
// 0 and NaN for negative x. The largest error found is 3.58 ulp for x < 8, where the bound is 7,
// and 2^-53 beyond, where it is 5e-12.
func Y1(x float64) float64 {
	if !(x > 0) {
		return ySpecial(x)
	}
	switch {
	case x <= 1.3:
		if x < 0x1p-500 {
			return -twoOverPiH / x
		}
		z := float64(x * x)
		l := float64(twoOverPiH * (Log(x) + eulerLessLn2))
		j := float64(x * j1Piece1(z))
		// -2/(pi x), with the rounding errors of the quotient and of 2/pi
		q := -twoOverPiH / x
		r := (math.FMA(-q, x, -twoOverPiH) + 0x1.6b01ec5417056p-55) / x
		return q + (math.FMA(l, j, float64(x*y1Piece1(z))) + r)
	case x <= 3.7:
		d := (x - 0x1.193bed4dff243p+1) + 0x1.bd1e50d219bfdp-55
		return float64(d * y1Piece2(d))
	case x <= 7:
		d := (x - 0x1.5b7fe4e87b02ep+2) - 0x1.dfe7bac228e8cp-52
		return float64(d * y1Piece3(d))
	case x > math.MaxFloat64:
		return 0
	}
	z := float64(1/x) * float64(1/x)
	p, q := hankelP1(z), hankelQ1(z)/x
	return -hankelSum(p+q, p-q, x)
}

// ySpecial is a function of the second kind at 0, NaN and negative numbers.
func ySpecial(x float64) float64 {
	if x == 0 {
		return math.Inf(-1)
	}
	return math.NaN()
}
