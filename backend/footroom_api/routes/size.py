from footroom_api.routes.common import router as new_router
router=new_router("x")
